import type { Metadata } from "next";
import { reportReasonLabels } from "#contract/share-constants.ts";
import { ReportPill } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { pageQueryOf, type RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";

export const metadata: Metadata = { title: "Reports" };

/** The reports of all accounts' shared files. */
export default async function OperatorReportsPage({ searchParams }: RouteProps) {
  const reports = await requestRoute("GET /operator/reports", { query: pageQueryOf(await searchParams) });
  return (
    <>
      <PageHeader
        title="Reports"
        description="Files on shared pages that a visitor reported. The owners of an account can also decide, but only for their own account."
      />
      <ListBody
        answer={reports}
        empty={
          <EmptyState
            drawing="frames"
            title="No reports"
            body="Visitors of a shared page can report its file. The report is then shown here."
          />
        }
      >
        {(rows) => (
          <Table label="Reports">
            <thead>
              <tr>
                <Th>Reason</Th>
                <Th>Account</Th>
                <Th>Status</Th>
                <Th>Reported</Th>
              </tr>
            </thead>
            <tbody>
              {rows.map((report) => (
                <Tr key={report.id}>
                  <Td className="wrap-anywhere">
                    <Link href={`/operator/reports/${report.id}`} className="text-accent hover:underline">
                      {reportReasonLabels[report.reason]}
                    </Link>
                  </Td>
                  <Td className="wrap-anywhere" label="Account">
                    {report.account.name}
                  </Td>
                  <Td label="Status">
                    <ReportPill status={report.status} />
                  </Td>
                  <Td label="Reported">
                    <Time value={report.created_at} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </ListBody>
    </>
  );
}
