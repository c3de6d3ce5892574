import type { Metadata } from "next";
import { ConnectionsTable } from "@/components/connections/connections-table";
import { GuideLink } from "@/components/guides/guide-link";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { pageQueryOf, type RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Connections" };

export default async function ConnectionsPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = pageQueryOf(await searchParams);
  const connections = await requestRoute("GET /connections", { query });
  return (
    <>
      <PageHeader title="Connections" description="Agents and other clients that act for a member." />
      <ListBody
        answer={connections}
        total={{ route: "GET /connections", noun: "connection" }}
        notOffered={<NotOffered what="connections">Give your agent an account key instead.</NotOffered>}
        empty={
          <EmptyState
            drawing="signal"
            title="No connections yet"
            body={
              <>
                An agent needs only the address of this gateway’s tools. It then opens this console, where you
                grant access. <GuideLink to="agents">How to connect an agent</GuideLink>
              </>
            }
          />
        }
      >
        {(rows) => <ConnectionsTable connections={rows} />}
      </ListBody>
    </>
  );
}
