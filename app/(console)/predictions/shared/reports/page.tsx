import type { Report } from "#contract/reports.ts";
import { page, titleOf } from "@/app/console-page";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { formatCount } from "@/lib/format";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "linkReports" } as const;

export const generateMetadata = titleOf(head);

const description = "Files on shared pages that a visitor reported. A report removes nothing: you decide.";

/** For owners: what visitors of the account's shared pages reported. */
export default page({ ...head, also: ["reports"], description }, async ({ search, requestRoute }) => {
  const reports = await requestRoute("GET /reports", { query: pageQueryOf(search) });
  return (
    <ListBody
      answer={reports}
      notOffered={<NotOffered what="shared links">Without shared links, there are no reports.</NotOffered>}
      empty={
        <EmptyState
          drawing="frames"
          title="No reports"
          body="Visitors of a shared page can report its file. The report is then shown here."
        />
      }
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
  const { copies, removed_by_operator: byOperator } = report;
  return (
    <ReportView
      report={report}
      facts={[
        ["Stored in this account", `${formatCount(copies.files, "file")} with these bytes`],
        ...(copies.sent > 0
          ? [
              [
                "At your destinations",
                `${formatCount(copies.sent, "copy", "copies")}, which you delete there`,
              ] as const,
            ]
          : []),
        ...(byOperator ? [["Removed by", "the operator of this gateway"] as const] : []),
      ]}
    >
      <ReportDecision
        id={report.id}
        status={report.status}
        by="owner"
        removes={`${formatCount(copies.files, "file")} with these bytes will be deleted from this account, in the library and the uploads too.`}
      />
    </ReportView>
  );
}
