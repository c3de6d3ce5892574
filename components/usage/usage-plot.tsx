import { formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";
import { plotOf } from "./plot-of.ts";

/** One bar per day, in the theme's own colours. Drawn with the page: a plotting library would outweigh all of it. */
export function UsagePlot({ days, unit }: { days: UsageTotal[]; unit: string }) {
  const total = days.reduce((sum, day) => sum + day.quantity, 0);
  const { bars, top, dayLabels } = plotOf(days);
  return (
    <div
      role="img"
      aria-label={`${unit}s by day, ${formatNumber(total)} in total; see the table below`}
      className="grid h-60 grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 text-meta text-muted"
    >
      <div className="tabular flex flex-col justify-between text-right">
        {[top, top / 2, 0].map((value) => (
          <span key={value} className="leading-none">
            {compact.format(value)}
          </span>
        ))}
      </div>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full" aria-hidden="true">
        {[0, 50, 100].map((y) => (
          <line
            key={y}
            x1="0"
            x2="100"
            y1={y}
            y2={y}
            className="stroke-(--line)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map((bar) => (
          <rect key={bar.day} {...bar.box} className="fill-(--accent-fill)">
            <title>{`${bar.day}: ${formatNumber(bar.quantity)} ${unit}s`}</title>
          </rect>
        ))}
      </svg>
      <div className="tabular col-start-2 flex justify-between">
        {dayLabels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </div>
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
