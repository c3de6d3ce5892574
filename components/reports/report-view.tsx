import { Ban, CircleCheck, Clock, Loader, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { OperatorReport, Report } from "#contract/reports.ts";
import { type ReportStatus, reportReasonLabels } from "#contract/share-constants.ts";
import { StatusPill } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
import type { Tone } from "@/lib/status/status-look";

interface StatusLook {
  label: string;
  tone: Tone;
  icon: LucideIcon;
  title: string;
}

const looks: Record<ReportStatus, StatusLook> = {
  open: { label: "Open", tone: "waiting", icon: Clock, title: "Nobody has decided yet" },
  removing: {
    label: "Removing",
    tone: "busy",
    icon: Loader,
    title: "The file is barred, and its copies are being deleted",
  },
  removed: { label: "Removed", tone: "good", icon: Ban, title: "The file was removed and is barred" },
  dismissed: { label: "Dismissed", tone: "gone", icon: CircleCheck, title: "The file stays" },
};

export function ReportPill({ status }: { status: ReportStatus }) {
  return <StatusPill {...looks[status]} />;
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
  return (
    <article aria-label={`Report of ${report.model}`} className="max-w-200 space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-title font-semibold wrap-anywhere">{reportReasonLabels[report.reason]}</h2>
        <ReportPill status={report.status} />
      </div>
      {report.comment && (
        <blockquote className="border-l-2 border-strong pl-3 whitespace-pre-wrap wrap-anywhere">
          {report.comment}
        </blockquote>
      )}
      <Facts
        facts={[
          ["Reported", <Time key="at" value={report.created_at} mode="absolute" />],
          [
            "Answer to",
            <a
              key="mail"
              href={`mailto:${encodeURIComponent(report.email)}`}
              className="text-accent hover:underline"
            >
              {report.email}
            </a>,
          ],
          [
            "File",
            report.shared_url ? (
              <a key="page" href={report.shared_url} className="text-accent hover:underline">
                Open the shared page
              </a>
            ) : (
              "The link no longer works"
            ),
          ],
          [
            "Model",
            <span key="model" className="font-mono text-meta">
              {report.model}
            </span>,
          ],
          ...facts,
          ...(report.decided_at
            ? [["Decided", <Time key="decided" value={report.decided_at} mode="absolute" />] as const]
            : []),
          ...(report.removed_files > 0
            ? [["Deleted", formatCount(report.removed_files, "stored file")] as const]
            : []),
          ["Id", <IdChip key="id" id={report.id} />],
        ]}
      />
      {children}
    </article>
  );
}
