import type { Role } from "#contract/accounts/constants.ts";
import type { Permission } from "#contract/accounts/permissions.ts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { roleLabels } from "@/lib/team/roles";
import { WhoCan } from "./who-can.tsx";

interface PageRefusedProps {
  title: string;
  role: Role;
  permission: Permission;
}

/** Shown instead of a page that the visitor's role may not see. */
export function PageRefused({ title, role, permission }: PageRefusedProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        drawing="gate"
        title="Your role may not see this page"
        body={
          <>
            You are signed in with the role {roleLabels[role].toLowerCase()}.{" "}
            <WhoCan to={permission} question="Who can see it?" />
          </>
        }
      />
    </>
  );
}
