import { page, titleOf } from "@/app/console-page";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { Link } from "@/components/ui/page/link";
import { formatCount } from "@/lib/format";

const head = { title: "report" } as const;

export const generateMetadata = titleOf(head);

const description = "Removing deletes the file in every account. The owners see that an operator removed it.";

export default page<"id">({ ...head, description }, async ({ params, requestRoute, need }) => {
  const report = await need(requestRoute("GET /operator/reports/{id}", { params }));
  const { files, accounts } = report.copies;
  const where = `${formatCount(files, "file")} with these bytes in ${formatCount(accounts, "account")}`;
  return (
    <ReportView
      report={report}
      facts={[
        [
          "Account",
          <Link
            key="account"
            href={`/operator/accounts/${report.account.id}`}
            className="text-accent hover:underline"
          >
            {report.account.name}
          </Link>,
        ],
        ["Stored", where],
      ]}
    >
      <ReportDecision
        id={report.id}
        status={report.status}
        by="operator"
        removes={`${where} will be deleted, in libraries and uploads too.`}
      />
    </ReportView>
  );
});
