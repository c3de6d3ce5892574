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
  /** What stands here for those whose role does no such work. */
  otherwise?: ReactNode;
}

/**
 * A button by the table of permissions: there for those who may, off and saying who can for those who work here too,
 * and absent for those who only look.
 */
export function Permitted({ to, children, otherwise = null }: PermittedProps) {
  const { may, acts } = useAccess();
  if (may(to)) return children;
  return acts ? <Refused to={to}>{children}</Refused> : otherwise;
}
