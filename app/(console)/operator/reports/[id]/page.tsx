import { headOf, page, titleOf } from "@/app/console-page";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { Link } from "@/components/ui/page/link";
import { words } from "@/lib/server/words";

const head = headOf({ title: "report", parts: ["operatorPages", "reports"], description: "aboutReport" });

export const generateMetadata = titleOf(head);

export default page<"id", "operatorPages">(head, async ({ params, requestRoute, need }) => {
  const report = await need(requestRoute("GET /operator/reports/{id}", { params }));
  const { files, accounts } = report.copies;
  const t = await words("operatorPages");
  return (
    <ReportView
      report={report}
      facts={[
        [
          t("account"),
          <Link
            key="account"
            href={`/operator/accounts/${report.account.id}`}
            className="text-accent hover:underline"
          >
            {report.account.name}
          </Link>,
        ],
        [t("stored"), t("filesInAccounts", { files, accounts })],
      ]}
    >
      <ReportDecision
        id={report.id}
        status={report.status}
        by="operator"
        removes={t("filesWillBeDeleted", { files, accounts })}
      />
    </ReportView>
  );
});
