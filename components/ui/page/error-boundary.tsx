"use client";

import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Replaces children that cannot be rendered. */
  fallback: ReactNode;
  children: ReactNode;
}

/**
 * Keeps an error in its children from crashing the page. Change its `key` to try again with other children.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
