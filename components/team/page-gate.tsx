"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { destinations, isCurrent } from "@/components/shell/navigation";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { roleLabels } from "@/lib/team/roles";
import { useAccess } from "./access.tsx";
import { WhoCan } from "./who-can.tsx";

/** Shows a page only to a role that may see it; to others it says who can. */
export function PageGate({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const { role, may } = useAccess();
  const page = destinations.find((entry) => isCurrent(entry, pathname));
  if (!page?.permission || role === null || may(page.permission)) return children;
  return (
    <>
      <PageHeader title={page.label} />
      <EmptyState
        drawing="gate"
        title="Your role does not show this page"
        body={
          <>
            You are signed in with the role {roleLabels[role].toLowerCase()}. <WhoCan to={page.permission} />
          </>
        }
      />
    </>
  );
}
