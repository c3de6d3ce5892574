import { reportReasonLabels } from "#contract/share-constants.ts";
import { page, titleOf } from "@/app/console-page";
import { ReportPill } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { pageQueryOf } from "@/lib/page-props";

const head = { title: "reports" } as const;

export const generateMetadata = titleOf(head);

const description =
  "Files on shared pages that a visitor reported. The owners of an account can also decide, but only for their own account.";

/** The reports of all accounts' shared files. */
export default page({ ...head, description }, async ({ search, requestRoute }) => {
  const reports = await requestRoute("GET /operator/reports", { query: pageQueryOf(search) });
  return (
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
  );
});
