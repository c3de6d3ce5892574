import { useFormats, useWords } from "#words";
import { axisTop } from "@/lib/activity/chart";
import { type Formats, formatNumber, formatsOf } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { money, type UsageTotal } from "@/lib/usage/summary";
import { listText } from "@/lib/words/list-text";
import type { Language } from "@/messages/languages";
import type { Words } from "@/messages/words";

interface UsagePlotProps {
  days: UsageTotal[];
  /** The days of the previous period, as many as `days`. */
  before: UsageTotal[];
  /** A billing unit, or `money`. */
  shown: string;
  currency: string;
  /** Describes the chart for screen readers. */
  label: string;
  /** The text of a day's value. */
  formatDay: (day: UsageTotal) => string;
}

interface Bar {
  day: string;
  /** The area of the whole day, in which the pointer selects the day. */
  slot: { x: number; y: number; width: number; height: number };
  box: { x: number; y: number; width: number; height: number };
  /** The bar of the same day in the previous period. */
  before: { x: number; y: number; width: number; height: number } | null;
}

/**
 * One bar per day, in the theme's colours. Without usage, a sentence. The page draws the SVG itself, because
 * a plotting library would be larger than all of this code.
 */
export function UsagePlot({ days, before, shown, currency, label, formatDay }: UsagePlotProps) {
  const t = useWords("usage");
  const format = useFormats();
  if ([...days, ...before].every(({ quantity }) => quantity === 0))
    return (
      <p className="grid h-24 content-center rounded-panel border border-dashed p-4 text-center text-muted">
        {shown === money ? t("noRunHadACost") : t("noUsageInThisPeriod")}
      </p>
    );
  // Half a generation would be no label; half a dollar is one.
  const { bars, top, dayLabels } = plotOf(days, before, shown === money ? 0 : 2, t.language);
  return (
    <div className="rounded-panel border bg-panel p-3">
      <div
        role="img"
        aria-label={label}
        className="grid h-60 grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 text-meta text-muted"
      >
        <div className="tabular flex flex-col justify-between text-right">
          {[top, top / 2, 0].map((value) => (
            <span key={value} className="leading-none whitespace-nowrap">
              {formatTick(t, format, value, shown, currency)}
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
          {bars.map((bar, index) => (
            <g key={bar.day}>
              {bar.before && <rect {...bar.before} className="fill-(--strong)" />}
              <rect {...bar.box} className="fill-(--accent-fill)" />
              <rect {...bar.slot} fill="transparent">
                <title>{titleOf(t, days[index], before[index], formatDay)}</title>
              </rect>
            </g>
          ))}
        </svg>
        <div className="tabular col-start-2 flex justify-between">
          {dayLabels.map((text) => (
            // On a phone only every other one of five has room.
            <span key={text} className={dayLabels.length === maxLabels ? "max-phone:even:hidden" : undefined}>
              {text}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface Plot {
  /** Coordinates are in a 100 × 100 square. Bars of days without usage have no height. */
  bars: Bar[];
  /** The value at the upper edge of the chart. */
  top: number;
  /** The first day, the last, and as many between as fit, evenly spread. */
  dayLabels: string[];
}

/** Widths of a day's bar and of the previous period's bar, as shares of the space for one day. */
const barShare = 0.5;

const beforeShare = 0.22;

const maxLabels = 5;

/** Bars of one quantity per day, oldest first, beside those of the previous period. The axis ends at `least` or above. */
export function plotOf(
  days: readonly UsageTotal[],
  before: readonly UsageTotal[] = [],
  least = 0,
  language: Language = "en",
): Plot {
  const largest = Math.max(least, ...[...days, ...before].map((day) => day.quantity));
  const top = largest > 0 ? axisTop(largest) : 1;
  const width = 100 / Math.max(1, days.length);
  const boxOf = (quantity: number, x: number, share: number) => {
    const height = (quantity / top) * 100;
    return { x, y: 100 - height, width: width * share, height };
  };
  const bars = days.map(({ name, quantity }, index) => {
    const left = (index + (1 - barShare - beforeShare) / 2) * width;
    const earlier = before[index];
    return {
      day: name,
      slot: { x: index * width, y: 0, width, height: 100 },
      box: boxOf(quantity, left + beforeShare * width, barShare),
      before: earlier ? boxOf(earlier.quantity, left, beforeShare) : null,
    };
  });
  const { date } = formatsOf(language, "UTC");
  const count = Math.min(maxLabels, days.length);
  const dayLabels = Array.from({ length: count }, (_, label) => {
    const day = days[Math.round((label * (days.length - 1)) / Math.max(1, count - 1))];
    return day ? date(day.name, { day: "numeric", month: "short" }) : "";
  });
  return { bars, top, dayLabels };
}

function titleOf(
  t: Words<"usage">,
  day: UsageTotal | undefined,
  before: UsageTotal | undefined,
  formatDay: UsagePlotProps["formatDay"],
): string {
  const labelOf = (each: UsageTotal | undefined) => (each ? `${each.name}: ${formatDay(each)}` : "");
  return before ? t("dayAndBefore", { day: labelOf(day), before: labelOf(before) }) : labelOf(day);
}

/** A number at the axis with its unit: `500 USD`, `16 m 40 s`, `2K tokens`. */
function formatTick(t: Words<"usage">, format: Formats, value: number, shown: string, currency: string) {
  if (shown === "second" && value > 0) return format.duration(value * 1_000);
  const short = format.compact(value);
  if (shown === money) return `${short} ${currency}`;
  return t("quantityOf", { unit: shown, name: shown, count: value, shown: short });
}

interface UsageValueProps {
  total: UsageTotal;
  /** Null: a quantity. */
  currency: string | null;
}

/** A quantity, or the cost and the number of runs without a price. */
export function UsageValue({ total, currency }: UsageValueProps) {
  const t = useWords("usage");
  if (currency === null) return formatNumber(total.quantity);
  const { amount, notPriced } = total;
  return (
    <>
      {amount !== null && (
        <span title={`${amount} ${currency}`} className="block whitespace-nowrap">
          {formatMoney(amount, currency)}
        </span>
      )}
      {notPriced > 0 && (
        <span className="block text-meta text-muted">{t("runsNotPriced", { runs: notPriced })}</span>
      )}
      {amount === null && notPriced === 0 && "–"}
    </>
  );
}

/** The quantity, or the cost and the number of runs without a price, as text. */
export function formatValue(
  t: Words<"usage">,
  { amount, notPriced, quantity }: UsageTotal,
  unit: string,
  currency: string | null,
): string {
  if (currency === null)
    return t("quantityOf", { unit, name: unit, count: quantity, shown: formatNumber(quantity) });
  const parts = [
    amount === null ? null : formatMoney(amount, currency),
    notPriced > 0 ? t("runsNotPriced", { runs: notPriced }) : null,
  ];
  return listText(t.language, parts, "plain") || t("nothing");
}
