import type { AuditStreamHealth } from "#contract/operator/health.ts";
import { useWords } from "#words";
import { Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";
import { betweenSentences } from "@/messages/marks";

/** Whether the audit log leaves the installation in time. */
export function AuditStreamLine({ stream }: { stream: AuditStreamHealth }) {
  const t = useWords("operatorHealth");
  const { waiting, lag_seconds, error, last_sent_at, dropped } = stream;
  return (
    <p className="mt-4 text-table text-muted">
      {t.rich(
        last_sent_at ? "auditStreamLast" : "auditStream",
        { waiting, lag: formatDuration(lag_seconds * 1000, t.language) },
        { time: () => <Time key="last" value={last_sent_at} /> },
      )}
      {betweenSentences(t.language)}
      {error && (
        <>
          {t("theLastAttemptFailedError", { error })}
          {betweenSentences(t.language)}
        </>
      )}
      {dropped > 0 && (
        <>
          {t("eventsDropped", { count: dropped })}
          {betweenSentences(t.language)}
        </>
      )}
      <a href="/public/help/audit-stream" className="text-accent underline">
        {t("whatThisMeans")}
      </a>
    </p>
  );
}
