import type { Attempt } from "#contract/webhook.ts";
import { formatDuration } from "@/lib/format";
import { type TimingBar, timingBars } from "@/lib/webhooks/attempt-timeline";

const fills: Record<TimingBar["name"], string> = {
  DNS: "fill-(--waiting)",
  Connect: "fill-(--busy)",
  TLS: "fill-(--accent)",
  Wait: "fill-(--warn)",
  Body: "fill-(--good)",
};

const meanings: Record<TimingBar["name"], string> = {
  DNS: "DNS",
  Connect: "Connect",
  TLS: "TLS",
  Wait: "Waiting for response",
  Body: "Reading response",
};

/** The phases of an attempt, one under the other on one axis. */
export function TimingChart({ attempt }: { attempt: Attempt }) {
  const bars = timingBars(attempt.timings);
  const total = attempt.timings.total ?? attempt.duration_ms;
  return (
    <div className="max-w-2xl text-table">
      <dl className="space-y-1">
        {bars.map((bar) => (
          <div key={bar.name} className="grid grid-cols-[150px_minmax(0,1fr)_72px] items-center gap-3">
            <dt className="text-muted">{meanings[bar.name]}</dt>
            <dd aria-hidden className="rounded-[3px] bg-sunken">
              <svg
                viewBox="0 0 100 8"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-2 w-full"
              >
                <rect
                  x={bar.leftPercent}
                  width={Math.max(0.5, bar.widthPercent)}
                  height={8}
                  className={fills[bar.name]}
                />
              </svg>
            </dd>
            <dd className="tabular text-right">{formatDuration(bar.ms)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted">
        {total === null
          ? "No timings were saved."
          : `${formatDuration(total)} in total. The receiver has 10 s from the moment the request was sent.`}
        {attempt.remote_ip && (
          <>
            {" "}
            Connected to <code className="text-meta">{attempt.remote_ip}</code>.
          </>
        )}
      </p>
    </div>
  );
}
