import { reportReasonLabels } from "#contract/share-constants.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { ReportPill } from "@/components/reports/report-view";
import { ListBody } from "@/components/ui/list/list-body";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { pageQueryOf } from "@/lib/page-props";

const head = headOf({ title: "reports", parts: ["operatorPages"], description: "aboutReports" });

export const generateMetadata = titleOf(head);

/** The reports of all accounts' shared files. */
export default page(head, async ({ t, search, requestRoute }) => {
  const reports = await requestRoute("GET /operator/reports", { query: pageQueryOf(search) });
  return (
    <ListBody
      answer={reports}
      empty={<EmptyState drawing="frames" title={t("noReports")} body={t("visitorsOfASharedPage")} />}
    >
      {(rows) => (
        <Table label={t("reports")}>
          <thead>
            <tr>
              <Th>{t("reason")}</Th>
              <Th>{t("account")}</Th>
              <Th>{t("status")}</Th>
              <Th>{t("reported")}</Th>
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
                <Td className="wrap-anywhere" label={t("account")}>
                  {report.account.name}
                </Td>
                <Td label={t("status")}>
                  <ReportPill status={report.status} />
                </Td>
                <Td label={t("reported")}>
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
