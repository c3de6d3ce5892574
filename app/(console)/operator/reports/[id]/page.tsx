import type { Metadata } from "next";
import { ReportDecision } from "@/components/reports/report-decision";
import { ReportView } from "@/components/reports/report-view";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { formatCount } from "@/lib/format";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";

export const metadata: Metadata = { title: "Report" };

export default async function OperatorReportPage({ params }: RouteProps<{ id: string }>) {
  const answer = await requestRoute("GET /operator/reports/{id}", { params: { id: (await params).id } });
  if (!answer.ok) return <LoadFailure error={answer.error} />;
  const report = answer.data;
  const { files, accounts } = report.copies;
  const where = `${formatCount(files, "file")} with these bytes in ${formatCount(accounts, "account")}`;
  return (
    <>
      <PageHeader
        title="Report"
        description="Removing deletes the file in every account. The owners see that an operator removed it."
      />
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
    </>
  );
}
