import type { Metadata } from "next";
import { RolesTable } from "@/components/team/roles-table";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { getAccount, listUnansweredKeys } from "@/lib/server/gateway/account";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { TeamClient } from "./client";

export const metadata: Metadata = { title: "Team" };

export default async function TeamPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = pageQueryOf(await searchParams);
  const [account, members, invitations, unanswered] = await Promise.all([
    getAccount(),
    requestRoute("GET /account/members"),
    requestRoute("GET /account/invitations", { query }),
    listUnansweredKeys(),
  ]);
  return (
    <TeamClient
      account={account.ok ? account.data : null}
      members={members}
      invitations={invitations}
      unansweredKeys={unanswered}
      rolesTable={<RolesTable />}
    />
  );
}
