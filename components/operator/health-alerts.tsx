import type { HealthReport } from "#contract/operator/health.ts";
import { Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";

/** What is wrong with the installation itself. Loaded only then. */
export function HealthAlerts({ report }: { report: HealthReport }) {
  return (
    <>
      {report.database_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          The disk of the database has been full since{" "}
          <Time value={report.database_full_since} mode="absolute" />: nothing can be saved, and requests are
          answered with 503. Free some space on the disk; the gateway notices within five seconds.
        </p>
      )}
      {report.store_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          The object store or its disk has been full since{" "}
          <Time value={report.store_full_since} mode="absolute" />: files cannot be stored. Free some space.
          Waiting results are stored as soon as there is space, within the time limit of their runs.
        </p>
      )}
      {report.audit_stream?.late && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          The audit log has not left for {formatDuration(report.audit_stream.lag_seconds * 1000)}:{" "}
          {report.audit_stream.error ?? "no attempt failed, so perhaps no process has its settings"}. Nothing
          is lost for the days of AUDIT_STREAM_KEEP_DAYS.
        </p>
      )}
      {report.contents_failing_since && (
        <p role="alert" className="mb-3 rounded-control bg-warn-soft p-3 text-ink">
          Contents of calls have been dropped since{" "}
          <Time value={report.contents_failing_since} mode="absolute" />: the database does not write them in
          time, or the key of an account cannot be opened; the log of the gateway says which. Answers, the
          request log and costs are complete.
        </p>
      )}
    </>
  );
}

interface OutageProps {
  message: string;
  /** Whether older figures are shown below. */
  hasFigures: boolean;
  /** How often the page asks again. */
  pollMs: number;
}

/** The gateway answers, but cannot report: its message names the cause and since when. */
export function Outage({ message, hasFigures, pollMs }: OutageProps) {
  return (
    <div role="alert" className="rounded-control bg-bad-soft p-3 text-ink">
      <p className="font-semibold">{message}</p>
      <p>
        If it is the database: check that PostgreSQL is running, that its disk has space, and that the
        gateway's machine can reach it. The gateway continues by itself once the database answers, and this
        page checks again every {pollMs / 1000} s.
        {hasFigures && " The figures below are the last known ones."}
      </p>
    </div>
  );
}
