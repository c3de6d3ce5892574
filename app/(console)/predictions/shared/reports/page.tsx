import type { Metadata } from "next";
import type { Report } from "#contract/reports.ts";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { formatCount } from "@/lib/format";
import { pageQueryOf, type RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Reports of shared links" };

/** For owners: what visitors of the account's shared pages reported. */
export default async function ReportsPage({ searchParams }: RouteProps) {
  await requireSession();
  const reports = await requestRoute("GET /reports", { query: pageQueryOf(await searchParams) });
  return (
    <>
      <PageHeader
        title="Reports of shared links"
        description="Files on shared pages that a visitor reported. A report removes nothing: you decide."
      />
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
    </>
  );
}

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
