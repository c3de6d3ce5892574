import type { Segment } from "@/lib/timeline/row";
import { percent } from "./percent.ts";
import { toneText } from "./tone-text.ts";

interface SegmentBarProps {
  segment: Segment;
  /** Shares 0..1 of the width. */
  from: number;
  to: number;
  middlePx: number;
  hatchId: string;
  label: string | null;
}

const barPx = 12;
/** Even the shortest bar must be visible. */
const minPx = 3;

/**
 * A queue is hatched, work is solid, a wait is a thin line with its length written on it, a deadline ends in
 * a flag.
 */
export function SegmentBar({ segment, from, to, middlePx, hatchId, label }: SegmentBarProps) {
  const x = percent(from);
  const width = percent(Math.max(0, to - from));
  const y = middlePx - barPx / 2;
  const colour = toneText[segment.tone];
  switch (segment.kind) {
    case "moment":
      return (
        <circle
          cx={x}
          cy={middlePx}
          r="5"
          strokeWidth="2"
          className={`fill-current stroke-panel ${colour}`}
        />
      );
    case "wait":
      return <ThinLine from={from} to={to} middlePx={middlePx} label={label} dashed={segment.open} />;
    case "deadline":
      return (
        <g>
          <ThinLine from={from} to={to} middlePx={middlePx} label={label} dashed={segment.open} />
          <svg
            aria-hidden="true"
            x={percent(to)}
            y={middlePx - 9}
            width="1"
            height="18"
            overflow="visible"
            className={colour}
          >
            <path d="M0 0v18" className="stroke-current" strokeWidth="1.5" fill="none" />
            <path d="M0 0h-10l3 3.5l-3 3.5h10z" className="fill-current" />
          </svg>
        </g>
      );
    case "queue":
      return (
        <g className={colour}>
          <rect x={x} width={minPx} y={y} height={barPx} rx="1.5" className="fill-current" />
          <rect
            x={x}
            width={width}
            y={y}
            height={barPx}
            rx="3"
            fill={`url(#${hatchId})`}
            className="stroke-current"
          />
        </g>
      );
    default:
      return (
        <g className={`fill-current ${colour}`}>
          <rect x={x} width={minPx} y={y} height={barPx} rx="1.5" />
          <rect x={x} width={width} y={y} height={barPx} rx="3" />
        </g>
      );
  }
}

interface ThinLineProps {
  from: number;
  to: number;
  middlePx: number;
  label: string | null;
  dashed: boolean;
}

function ThinLine({ from, to, middlePx, label, dashed }: ThinLineProps) {
  return (
    <g className="text-muted">
      <line
        x1={percent(from)}
        x2={percent(to)}
        y1={middlePx}
        y2={middlePx}
        className="stroke-strong"
        {...(dashed && { strokeDasharray: "3 3" })}
      />
      {label && (
        <text
          x={percent((from + to) / 2)}
          y={middlePx - 4}
          textAnchor="middle"
          className="tabular fill-current text-[11px]"
        >
          {label}
        </text>
      )}
    </g>
  );
}
