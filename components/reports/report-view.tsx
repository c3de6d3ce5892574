import { Ban, CircleCheck, Clock, Loader, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { OperatorReport, Report } from "#contract/reports.ts";
import type { ReportStatus } from "#contract/share-constants.ts";
import { useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import type { Tone } from "@/lib/status/status-look";

const looks: Record<ReportStatus, { tone: Tone; icon: LucideIcon }> = {
  open: { tone: "waiting", icon: Clock },
  removing: { tone: "busy", icon: Loader },
  removed: { tone: "good", icon: Ban },
  dismissed: { tone: "gone", icon: CircleCheck },
};

export function ReportPill({ status }: { status: ReportStatus }) {
  const t = useWords("reports");
  return (
    <StatusPill
      {...looks[status]}
      label={t("statusNamed", { status })}
      title={t("statusMeans", { status })}
    />
  );
}

interface ReportViewProps {
  report: Report | OperatorReport;
  /** Facts that only this reader sees. */
  facts: readonly (readonly [string, ReactNode])[];
  /** The buttons of the decision. */
  children?: ReactNode;
}

/** One report: what a stranger wrote, which file it is about, and the decision. */
export function ReportView({ report, facts, children }: ReportViewProps) {
  const t = useWords("reports");
  return (
    <article aria-label={t("reportOfModel", { model: report.model })} className="max-w-200 space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-title font-semibold wrap-anywhere">
          {t("reasonNamed", { reason: report.reason })}
        </h2>
        <ReportPill status={report.status} />
      </div>
      {report.comment && (
        <blockquote className="border-l-2 border-strong pl-3 whitespace-pre-wrap wrap-anywhere">
          {report.comment}
        </blockquote>
      )}
      <Facts
        facts={[
          [t("reported"), <Time key="at" value={report.created_at} mode="absolute" />],
          [
            t("answerTo"),
            <a
              key="mail"
              href={`mailto:${encodeURIComponent(report.email)}`}
              className="text-accent hover:underline"
            >
              {report.email}
            </a>,
          ],
          [
            t("file"),
            report.shared_url ? (
              <a key="page" href={report.shared_url} className="text-accent hover:underline">
                {t("openTheSharedPage")}
              </a>
            ) : (
              t("theLinkNoLongerWorks")
            ),
          ],
          [
            t("model"),
            <span key="model" className="font-mono text-meta">
              {report.model}
            </span>,
          ],
          ...facts,
          ...(report.decided_at
            ? [[t("decided"), <Time key="decided" value={report.decided_at} mode="absolute" />] as const]
            : []),
          ...(report.removed_files > 0
            ? [[t("deleted"), t("storedFiles", { count: report.removed_files })] as const]
            : []),
          [t("id"), <IdChip key="id" id={report.id} />],
        ]}
      />
      {children}
    </article>
  );
}
