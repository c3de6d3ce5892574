import { page, titleOf } from "@/app/console-page";
import { SharesTable } from "@/components/shares/shares-table";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "sharedLinks" } as const;

export const generateMetadata = titleOf(head);

export default page({ ...head, also: ["shares"] }, async ({ search, requestRoute }) => {
  const shares = await requestRoute("GET /shares", { query: pageQueryOf(search) });
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
});
