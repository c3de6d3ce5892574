"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { destinationOf } from "@/components/shell/navigation";
import { usePlace } from "@/components/ui/page/link";
import { useAccess } from "./access.tsx";

const PageRefused = dynamic(() => import("./refused.tsx").then((module) => module.PageRefused), {
  loading: () => null,
});

/** Shows a page only to roles that may see it. Shows others who may. */
export function PageGate({ children }: { children: ReactNode }) {
  const { path: pathname } = usePlace();
  const titles = useWords("pages");
  const { role, may } = useAccess();
  const page = destinationOf(pathname);
  // Home itself redirects roles that may not see it, so it is always rendered.
  if (!page?.permission || page.href === "/" || role === null || may(page.permission)) return children;
  return <PageRefused title={titles.text(page.title)} role={role} permission={page.permission} />;
}
