import { headOf, page, titleOf } from "@/app/console-page";
import { SharesTable } from "@/components/shares/shares-table";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { pageQueryOf } from "@/lib/page-props";

const head = headOf({ title: "sharedLinks", parts: ["predictions", "shares"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, search, requestRoute }) => {
  const shares = await requestRoute("GET /shares", { query: pageQueryOf(search) });
  return (
    <>
      <PageHeader
        title={t("sharedLinks")}
        description={t("linksToOutputsWhichPeople")}
        actions={
          shares.ok && (
            <Permitted to="reports:read">
              <LinkButton href="/predictions/shared/reports">{t("reports")}</LinkButton>
            </Permitted>
          )
        }
      />
      <ListBody
        answer={shares}
        total={{ route: "GET /shares", noun: "link" }}
        notOffered={<NotOffered what={t("sharedLinks2")}>{t("downloadTheFileAndSend")}</NotOffered>}
        empty={
          <EmptyState
            drawing="frames"
            title={t("noSharedLinks")}
            body={t("chooseShareBesideAnOutput")}
            action={<LinkButton href="/predictions">{t("openPredictions")}</LinkButton>}
          />
        }
      >
        {(rows) => <SharesTable shares={rows} />}
      </ListBody>
    </>
  );
});
