import type { Report } from "#contract/reports.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { pageQueryOf } from "@/lib/page-props";

const head = headOf({
  title: "linkReports",
  parts: ["predictions", "reports"],
  description: "reportsDescription",
});

export const generateMetadata = titleOf(head);

/** For owners: what visitors of the account's shared pages reported. */
export default page(head, async ({ t, search, requestRoute }) => {
  const reports = await requestRoute("GET /reports", { query: pageQueryOf(search) });
  return (
    <ListBody
      answer={reports}
      notOffered={<NotOffered what={t("sharedLinks2")}>{t("withoutSharedLinksThereAre")}</NotOffered>}
      empty={<EmptyState drawing="frames" title={t("noReports")} body={t("visitorsOfASharedPage")} />}
    >
      {(rows) => (
        <div className="space-y-8">
          {rows.map((report) => (
            <OwnReport key={report.id} report={report} />
          ))}
        </div>
      )}
    </ListBody>
  );
});

function OwnReport({ report }: { report: Report }) {
  const t = useWords("predictions");
  const { copies, removed_by_operator: byOperator } = report;
  return (
    <ReportView
      report={report}
      facts={[
        [t("storedInThisAccount"), t("filesWithTheseBytes", { files: copies.files })],
        ...(copies.sent > 0
          ? [[t("atYourDestinations"), t("copiesYouDelete", { copies: copies.sent })] as const]
          : []),
        ...(byOperator ? [[t("removedBy"), t("theOperator")] as const] : []),
      ]}
    >
      <ReportDecision
        id={report.id}
        status={report.status}
        by="owner"
        removes={t("filesWillBeDeleted", { files: copies.files })}
      />
    </ReportView>
  );
}
