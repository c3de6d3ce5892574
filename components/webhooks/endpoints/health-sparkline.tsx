import type { EndpointHealth } from "#contract/webhook.ts";
import { sparkBars, sparkSummary } from "@/lib/webhooks/sparkline";

const small = { width: 96, height: 20 };
const large = { width: 480, height: 56 };

interface HealthSparklineProps {
  hourly: EndpointHealth["hourly"];
  size?: "small" | "large";
}

/** Accepted and failed attempts per hour; the words below say the same. */
export function HealthSparkline({ hourly, size = "small" }: HealthSparklineProps) {
  const { width, height } = size === "large" ? large : small;
  const summary = sparkSummary(hourly);
  return (
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={size === "large" ? "h-14 w-full" : "h-5 w-24"}
    >
      <title>{summary}</title>
      <rect x={0} y={height - 0.5} width={width} height={0.5} className="fill-(--strong)" />
      {sparkBars(hourly, width, height).map((bar) => (
        <g key={bar.at}>
          <rect
            x={bar.x}
            y={height - bar.deliveredHeight}
            width={bar.width}
            height={bar.deliveredHeight}
            className="fill-(--good)"
          />
          <rect
            x={bar.x}
            y={height - bar.deliveredHeight - bar.failedHeight}
            width={bar.width}
            height={bar.failedHeight}
            className="fill-(--bad)"
          />
        </g>
      ))}
    </svg>
  );
}
