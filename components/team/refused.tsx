"use client";

import { useQuery } from "@tanstack/react-query";
import { cloneElement, type MouseEvent, type ReactElement } from "react";
import type { Role } from "#contract/accounts/constants.ts";
import type { Permission } from "#contract/accounts/permissions.ts";
import { useFormats, useWords } from "#words";
import { EmptyState } from "@/components/ui/page/empty-state";
import { PageHeader } from "@/components/ui/page/page-header";
import { Tooltip } from "@/components/ui/tooltip";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { useAccess } from "./access.tsx";

// Loaded only if something is refused.

interface PageRefusedProps {
  title: string;
  role: Role;
  permission: Permission;
}

/** Shown instead of a page that the visitor's role may not see. */
export function PageRefused({ title, role, permission }: PageRefusedProps) {
  const t = useWords("shell");
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        drawing="gate"
        title={t("yourRoleMayNotSee")}
        body={
          <>
            {t("youHaveTheRole", { role })} <WhoCan to={permission} question={t("whoCanSeeIt")} />
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
export function WhoCan({ to, question }: { to: Permission; question?: string }) {
  const t = useWords("shell");
  const { list } = useFormats();
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
      <span className="block font-medium">{question ?? t("whoCanDoThis")}</span>
      {rolesWith(to).map((role) => {
        const names = members.filter((member) => member.role === role).map(({ name }) => name);
        const more = names.length - namesShown;
        return (
          <span key={role} className="block wrap-anywhere">
            {t("whoCan", {
              role,
              isNamed: names.length > 0 ? "yes" : "no",
              names: list(names.slice(0, namesShown)),
              more: Math.max(0, more),
            })}
          </span>
        );
      })}
    </>
  );
}
