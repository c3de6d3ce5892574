"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { destinations, isCurrent } from "@/components/shell/navigation";
import { usePlace } from "@/components/ui/page/use-place";
import { useAccess } from "./access.tsx";

const PageRefused = dynamic(() => import("./page-refused.tsx").then((module) => module.PageRefused), {
  loading: () => null,
});

/** Shows a page only to a role that may see it; to others it says who can. */
export function PageGate({ children }: { children: ReactNode }) {
  const { path: pathname } = usePlace();
  const { role, may } = useAccess();
  const page = destinations.find((entry) => isCurrent(entry, pathname));
  // Home leads to another page by itself, which it can only do when it is drawn.
  if (!page?.permission || page.href === "/" || role === null || may(page.permission)) return children;
  return <PageRefused title={page.label} role={role} permission={page.permission} />;
}
