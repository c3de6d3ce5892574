import { TriangleAlert } from "lucide-react";
import type { Endpoint, EndpointHealth } from "#contract/webhook.ts";
import { useFormats, useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { classNames } from "@/components/ui/looks";
import { failureStreak } from "@/lib/webhooks/refusals";
import type { Words } from "@/messages/words";

const goodFrom = 0.99;
const poorBelow = 0.9;

/** The share of finished attempts that were accepted in the last 24 hours. */
export function SuccessRate({ health }: { health: EndpointHealth | undefined }) {
  const format = useFormats();
  const rate = health?.success_rate_24h ?? null;
  if (rate === null) return <span className="text-faint">–</span>;
  const percent = Math.floor(rate * 1000) / 10;
  return (
    <span
      className={classNames(
        "tabular font-medium",
        rate >= goodFrom ? "text-good" : rate < poorBelow ? "text-bad" : "text-warn",
      )}
    >
      {format.percent(percent)}
    </span>
  );
}

/** Shown beside "Enabled" when every attempt at this endpoint fails. */
export function FailureStreak({ endpoint }: { endpoint: Endpoint }) {
  const t = useWords("webhooks");
  const failures = failureStreak(endpoint);
  if (failures === null) return null;
  return (
    <span className="inline-flex items-center gap-1 text-meta font-medium whitespace-nowrap text-warn">
      <TriangleAlert size={14} aria-hidden />
      {t("failuresInARow", { failures })}
    </span>
  );
}

const small = { width: 96, height: 20 };
const large = { width: 480, height: 56 };

interface HealthSparklineProps {
  hourly: EndpointHealth["hourly"];
  size?: "small" | "large";
}

/** Without attempts there is nothing to draw. */
export function hasAttempts({ hourly }: Pick<EndpointHealth, "hourly">): boolean {
  return hourly.some(({ delivered, failed }) => delivered + failed > 0);
}

/** Accepted and failed attempts per hour. The text below has the same numbers. */
export function HealthSparkline({ hourly, size = "small" }: HealthSparklineProps) {
  const t = useWords("webhooks");
  const { width, height } = size === "large" ? large : small;
  const summary = sparkSummary(t, hourly);
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

interface SparkBar {
  at: string;
  delivered: number;
  failed: number;
  x: number;
  width: number;
  /** Heights in the drawing's units, with failed stacked on delivered. */
  deliveredHeight: number;
  failedHeight: number;
}

/**
 * Stacked bars, one per hour, scaled to the busiest hour. An hour with any attempt is at least one unit high.
 */
function sparkBars(hourly: EndpointHealth["hourly"], width: number, height: number): SparkBar[] {
  const busiest = Math.max(1, ...hourly.map((hour) => hour.delivered + hour.failed));
  const step = width / Math.max(1, hourly.length);
  const scale = (count: number) => (count === 0 ? 0 : Math.max(1, (count / busiest) * height));
  return hourly.map((hour, index) => {
    const failedHeight = Math.min(height, scale(hour.failed));
    return {
      ...hour,
      x: index * step,
      width: Math.max(1, step - 1),
      deliveredHeight: Math.min(height - failedHeight, scale(hour.delivered)),
      failedHeight,
    };
  });
}

/** The large chart, with the hours below it. */
export function HealthChart({ hourly }: Pick<EndpointHealth, "hourly">) {
  const t = useWords("webhooks");
  const { timeZone } = usePreferences();
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  const labelled = hourly.filter((_, index) => index % labelEveryHours === 0);
  return (
    <>
      <HealthSparkline hourly={hourly} size="large" />
      <div aria-hidden className="tabular grid auto-cols-fr grid-flow-col text-meta text-muted">
        {labelled.map(({ at }, index) => (
          <span key={at} className="flex justify-between">
            {clock.format(Date.parse(at))}
            {index === labelled.length - 1 && <span>{t("now")}</span>}
          </span>
        ))}
      </div>
    </>
  );
}

/** Divides the 24 hours of the chart. */
const labelEveryHours = 6;

/** The chart as text, for screen readers. */
function sparkSummary(t: Words<"webhooks">, hourly: EndpointHealth["hourly"]): string {
  const delivered = hourly.reduce((sum, hour) => sum + hour.delivered, 0);
  const failed = hourly.reduce((sum, hour) => sum + hour.failed, 0);
  if (delivered + failed === 0) return t("noAttemptsIn24Hours");
  return t("attemptsIn24Hours", { delivered: String(delivered), failed: String(failed) });
}
