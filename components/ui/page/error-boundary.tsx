"use client";

import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Stands in for children that cannot be drawn. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps an error of its children from taking the page with it. Give it a `key` to try again with other children. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
