import type { Metadata } from "next";
import { SharesTable } from "@/components/shares/shares-table";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { pageQueryOf, type RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Shared links" };

export default async function SharedLinksPage({ searchParams }: RouteProps) {
  await requireSession();
  const shares = await requestRoute("GET /shares", { query: pageQueryOf(await searchParams) });
  return (
    <>
      <PageHeader
        title="Shared links"
        description="Links to outputs, which people without an account can open."
        actions={
          shares.ok && (
            <Permitted to="reports:read">
              <LinkButton href="/predictions/shared/reports">Reports</LinkButton>
            </Permitted>
          )
        }
      />
      <ListBody
        answer={shares}
        total={{ route: "GET /shares", noun: "link" }}
        notOffered={<NotOffered what="shared links">Download the file and send it instead.</NotOffered>}
        empty={
          <EmptyState
            drawing="frames"
            title="No shared links"
            body="Choose Share beside an output of a prediction to create a link."
            action={<LinkButton href="/predictions">Open predictions</LinkButton>}
          />
        }
      >
        {(rows) => <SharesTable shares={rows} />}
      </ListBody>
    </>
  );
}
