"use client";

import { useQuery } from "@tanstack/react-query";
import { cloneElement, type MouseEvent, type ReactElement } from "react";
import type { Role } from "#contract/accounts/constants.ts";
import type { Permission } from "#contract/accounts/permissions.ts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { Tooltip } from "@/components/ui/tooltip";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { roleLabels } from "@/lib/team/roles";
import { useAccess } from "./access.tsx";

// Loaded only if something is refused.

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

interface RefusedProps {
  to: Permission;
  children: ReactElement<Record<string, unknown>>;
}

/**
 * A button that stays in place and keeps the focus but does nothing. On hover and focus it shows who may use
 * it.
 */
export function Refused({ to, children }: RefusedProps) {
  return (
    <Tooltip content={<WhoCan to={to} />}>
      {cloneElement(children, {
        "aria-disabled": true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
    </Tooltip>
  );
}

const namesShown = 5;
const freshMs = 5 * 60_000;

/** The roles that may do this, and the people who have them. */
export function WhoCan({ to, question = "Who can do this?" }: { to: Permission; question?: string }) {
  const { may, rolesWith } = useAccess();
  const { data } = useQuery({
    queryKey: queryKeys.members(),
    queryFn: () => callRoute("GET /account/members"),
    staleTime: freshMs,
    enabled: may("members:read"),
  });
  const members = data?.ok ? data.data.data : [];
  return (
    <>
      <span className="block font-medium">{question}</span>
      {rolesWith(to).map((role) => {
        const names = members.filter((member) => member.role === role).map(({ name }) => name);
        const more = names.length - namesShown;
        return (
          <span key={role} className="block wrap-anywhere">
            {roleLabels[role]}
            {names.length > 0 && `: ${names.slice(0, namesShown).join(", ")}`}
            {more > 0 && ` and ${more} more`}
          </span>
        );
      })}
    </>
  );
}
