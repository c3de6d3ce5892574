"use client";

import dynamic from "next/dynamic";
import type { ReactElement, ReactNode } from "react";
import type { Permission } from "#contract/accounts/permissions.ts";
import { destinationOf } from "@/components/shell/navigation";
import { usePlace } from "@/components/ui/page/link";
import { useAccess } from "./access.tsx";

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

const Refused = dynamic(() => import("./refused.tsx").then((module) => module.Refused), {
  loading: () => null,
});

/** Shows a page only to roles that may see it. Shows others who may. */
export function PageGate({ children }: { children: ReactNode }) {
  const { path: pathname } = usePlace();
  const { role, may } = useAccess();
  const page = destinationOf(pathname);
  // Home itself redirects roles that may not see it, so it is always rendered.
  if (!page?.permission || page.href === "/" || role === null || may(page.permission)) return children;
  return <PageRefused title={page.label} role={role} permission={page.permission} />;
}

const PageRefused = dynamic(() => import("./refused.tsx").then((module) => module.PageRefused), {
  loading: () => null,
});

/** Loaded only if something is refused. */
export const WhoCan = dynamic(() => import("./refused.tsx").then((module) => module.WhoCan), {
  loading: () => null,
});
