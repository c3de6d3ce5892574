import type { ActivitySum } from "#contract/activity.ts";
import { formatDuration, formatNumber } from "@/lib/format";

/** The figures of the whole period. */
export function ActivityTotals({ total }: { total: ActivitySum }) {
  const { runs, errors, latency_ms: latency, first_token_ms: first } = total;
  const figures = [
    { label: "Runs", value: formatNumber(runs) },
    { label: "Errors", value: `${formatNumber(errors)} (${shareText(errors, runs)})`, isBad: errors > 0 },
    { label: "Latency p50", value: durationText(latency.p50) },
    { label: "Latency p95", value: durationText(latency.p95) },
    { label: "Latency p99", value: durationText(latency.p99) },
    { label: "First token p50", value: durationText(first.p50) },
    { label: "Output tokens per second", value: rateText(total.tokens_per_second) },
  ];
  return (
    <dl className="mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) tablet:grid-cols-4 wide:grid-cols-7">
      {figures.map(({ label, value, isBad }) => (
        <div key={label} className="bg-panel px-4 py-3 last:col-span-2 wide:last:col-span-1">
          <dt className="text-meta text-muted">{label}</dt>
          <dd className={`tabular text-title font-semibold ${isBad ? "text-bad" : "text-ink"}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function durationText(ms: number | null): string {
  return ms === null ? "–" : formatDuration(ms);
}

export function rateText(perSecond: number | null): string {
  return perSecond === null ? "–" : formatNumber(Math.round(perSecond));
}

/** A share as a percentage; a small share is never rounded to zero. */
export function shareText(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  return percent < 0.1 ? "< 0.1 %" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
