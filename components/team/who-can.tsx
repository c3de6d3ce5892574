"use client";

import { useQuery } from "@tanstack/react-query";
import type { Permission } from "#contract/accounts/permissions.ts";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { roleLabels } from "@/lib/team/roles";
import { useAccess } from "./access.tsx";

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
