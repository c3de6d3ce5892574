import type { HealthReport } from "#contract/operator/health.ts";
import { useWords } from "#words";
import { Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";

/** What is wrong with the installation itself. Loaded only then. */
export function HealthAlerts({ report }: { report: HealthReport }) {
  const t = useWords("operatorHealth");
  return (
    <>
      {report.database_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          {t.rich("databaseFull", {}, since(report.database_full_since))}
        </p>
      )}
      {report.store_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          {t.rich("storeFull", {}, since(report.store_full_since))}
        </p>
      )}
      {report.audit_stream?.late && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          {t("auditLogLate", {
            lag: formatDuration(report.audit_stream.lag_seconds * 1000, t.language),
            error: report.audit_stream.error ?? t("noAttemptFailedSoPerhaps"),
          })}
        </p>
      )}
      {report.contents_failing_since && (
        <p role="alert" className="mb-3 rounded-control bg-warn-soft p-3 text-ink">
          {t.rich("contentsDropped", {}, since(report.contents_failing_since))}
        </p>
      )}
    </>
  );
}

const since = (value: string) => ({ time: () => <Time key="since" value={value} mode="absolute" /> });

interface OutageProps {
  message: string;
  /** Whether older figures are shown below. */
  hasFigures: boolean;
  /** How often the page asks again. */
  pollMs: number;
}

/** The gateway answers, but cannot report: its message names the cause and since when. */
export function Outage({ message, hasFigures, pollMs }: OutageProps) {
  const t = useWords("operatorHealth");
  return (
    <div role="alert" className="rounded-control bg-bad-soft p-3 text-ink">
      <p className="font-semibold">{message}</p>
      <p>{t(hasFigures ? "ifDatabaseWithFigures" : "ifDatabase", { seconds: pollMs / 1000 })}</p>
    </div>
  );
}
