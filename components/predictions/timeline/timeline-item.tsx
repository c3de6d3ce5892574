import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { formatBytes, formatDuration } from "@/lib/format";
import type { Axis } from "@/lib/timeline/axis";
import { rowMeasure, rowSentence } from "@/lib/timeline/labels";
import type { Fact, TimelineRow } from "@/lib/timeline/row";
import type { Tick } from "@/lib/timeline/ticks";
import { idHref } from "../id-href.ts";
import { rowGrid } from "./row-grid.ts";
import { TimelineBars } from "./timeline-bars.tsx";
import { toneText } from "./tone-text.ts";

interface TimelineItemProps {
  row: TimelineRow;
  axis: Axis;
  ticks: Tick[];
  nowMs: number;
  widthPx: number;
}

/** One phase: its name, its bars, its length; opens to its facts. */
export function TimelineItem({ row, axis, ticks, nowMs, widthPx }: TimelineItemProps) {
  return (
    <li className="border-b last:border-b-0">
      <details className="group/row">
        <summary
          className={`${rowGrid.row} list-none py-0.5 hover:bg-sunken focus-visible:-outline-offset-2! [&::-webkit-details-marker]:hidden`}
        >
          <span className={`${rowGrid.name} flex items-center gap-1.5 py-1`}>
            <ChevronRight
              size={14}
              aria-hidden
              className="shrink-0 text-faint transition-transform duration-150 group-open/row:rotate-90"
            />
            <span aria-hidden className={`size-2 shrink-0 rounded-full bg-current ${toneText[row.tone]}`} />
            <span className="truncate text-table font-medium" title={row.label}>
              {row.label}
            </span>
            <span className="sr-only">: {rowSentence(row, axis.startMs, nowMs)}</span>
          </span>
          <span className={rowGrid.bars}>
            <TimelineBars row={row} axis={axis} ticks={ticks} nowMs={nowMs} widthPx={widthPx} />
          </span>
          <span aria-hidden className={`${rowGrid.measure} tabular text-table whitespace-nowrap text-muted`}>
            {rowMeasure(row, axis.startMs, nowMs)}
          </span>
        </summary>
        <TimelineFacts row={row} startMs={axis.startMs} nowMs={nowMs} />
      </details>
    </li>
  );
}

/** What is known of a phase: exact times, ids, reasons; for a delivery also its attempts. */
function TimelineFacts({ row, startMs, nowMs }: { row: TimelineRow; startMs: number; nowMs: number }) {
  return (
    <div className="space-y-2 border-t border-dashed bg-canvas py-2 pr-3 pl-[34px]">
      {row.facts.length > 0 && (
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-table">
          {row.facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity and never move
            <Fragment key={index}>
              <dt className="text-muted first-letter:uppercase">{fact.label}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <FactValue fact={fact} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {row.children.length > 0 && (
        <ol className="space-y-1 text-table">
          {row.children.map((child) => (
            <li key={child.id} className="flex flex-wrap items-baseline gap-x-2">
              <span
                aria-hidden
                className={`size-2 self-center rounded-full bg-current ${toneText[child.tone]}`}
              />
              <span className="font-medium">{child.label}</span>
              <span className="tabular text-muted">{rowSentence(child, startMs, nowMs)}</span>
              {child.facts
                .filter((fact) => fact.label === "What happened")
                .map((fact) => (
                  <span key={fact.label} className="basis-full pl-4 text-muted wrap-anywhere">
                    {fact.value}
                  </span>
                ))}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function FactValue({ fact }: { fact: Fact }) {
  if (typeof fact.value === "number") {
    return <>{fact.form === "bytes" ? formatBytes(fact.value) : formatDuration(fact.value)}</>;
  }
  switch (fact.form) {
    case "time":
      return (
        <>
          <Time value={fact.value} mode="absolute" />{" "}
          <span className="text-muted">
            (<Time value={fact.value} />)
          </span>
        </>
      );
    case "id":
      return <IdChip id={fact.value} href={idHref(fact.value)} />;
    case "code":
      return <code className="text-meta">{fact.value}</code>;
    default:
      return <>{fact.value}</>;
  }
}
