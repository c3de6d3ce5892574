import type { AuditStreamHealth } from "#contract/operator/health.ts";
import { Time } from "@/components/ui/time";
import { formatCount, formatDuration } from "@/lib/format";

/** Whether the audit log leaves the installation in time. */
export function AuditStreamLine({ stream }: { stream: AuditStreamHealth }) {
  const { waiting, lag_seconds, error, last_sent_at, dropped } = stream;
  return (
    <p className="mt-4 text-table text-muted">
      Audit stream:{" "}
      {waiting === 0
        ? "every event has left"
        : `${formatCount(waiting, "event")} waiting, for ${formatDuration(lag_seconds * 1000)}`}
      {last_sent_at && (
        <>
          ; the last left <Time value={last_sent_at} />
        </>
      )}
      .{error && <> The last attempt failed: {error}.</>}
      {dropped > 0 && <> {formatCount(dropped, "event")} could not leave in time and were dropped.</>}{" "}
      <a href="/public/help/audit-stream" className="text-accent underline">
        What this means
      </a>
    </p>
  );
}
