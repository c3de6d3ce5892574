"use client";

import dynamic from "next/dynamic";
import type { ReactElement, ReactNode } from "react";
import type { Permission } from "#contract/accounts/permissions.ts";
import { useAccess } from "./access.tsx";

const Refused = dynamic(() => import("./refused.tsx").then((module) => module.Refused), {
  loading: () => null,
});

interface PermittedProps {
  to: Permission;
  /** One button. */
  children: ReactElement<Record<string, unknown>>;
  /** Shown to people whose role can only read. */
  otherwise?: ReactNode;
}

/**
 * A button that follows the table of permissions: active for people with the permission, disabled with an
 * explanation for others who work here, and hidden from people who can only read.
 */
export function Permitted({ to, children, otherwise = null }: PermittedProps) {
  const { may, acts } = useAccess();
  if (may(to)) return children;
  return acts ? <Refused to={to}>{children}</Refused> : otherwise;
}

/** Loaded only if something is refused. */
export const WhoCan = dynamic(() => import("./refused.tsx").then((module) => module.WhoCan), {
  loading: () => null,
});
