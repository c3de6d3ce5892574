import type { ComponentProps } from "react";
import type { ActivityGroup, ActivityList, ActivitySum } from "#contract/activity.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { hasValues, runSeries, stepsOf, valuesOf } from "@/lib/activity/chart";
import { formatDuration, formatNumber } from "@/lib/format";
import { shareText } from "@/lib/share-text";
import { type Stretch, TimeChart } from "./time-chart.tsx";

/** Totals of the period: runs, errors, latency and other figures. */
export function ActivityTotals({ total }: { total: ActivitySum }) {
  const { runs, errors, refused, latency_ms: latency, first_token_ms: first } = total;
  const figures = [
    { label: "Runs", value: formatNumber(runs) },
    { label: "Errors", value: `${formatNumber(errors)} (${shareText(errors, runs)})`, isBad: errors > 0 },
    { label: "Refused requests", value: formatNumber(refused) },
    { label: "Latency p50", value: durationText(latency.p50) },
    { label: "Latency p95", value: durationText(latency.p95) },
    { label: "Latency p99", value: durationText(latency.p99) },
    { label: "First token p50", value: durationText(first.p50) },
    { label: "Output tokens per second", value: rateText(total.tokens_per_second) },
  ];
  return (
    <dl className="mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-panel border bg-(--line) tablet:grid-cols-4 wide:grid-cols-8">
      {figures.map(({ label, value, isBad }) => (
        <div key={label} className="flex flex-col justify-between bg-panel px-4 py-3">
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

interface ActivityChartsProps {
  runs: ActivityList;
  deliveries: ActivityList | null;
  onPick: (picked: Stretch & { of: "runs" | "deliveries" }) => void;
}

type Chart = Pick<ComponentProps<typeof TimeChart>, "label" | "kind" | "format" | "series" | "onPick"> & {
  title: string;
  description?: string;
};

/** The charts of the Activity page, one per metric that was measured. The others are named in a sentence. */
export function ActivityCharts({ runs, deliveries, onPick }: ActivityChartsProps) {
  const steps = stepsOf(runs);
  const pickOf = (of: "runs" | "deliveries") => (stretch: Stretch) => onPick({ ...stretch, of });
  const charts: Chart[] = [
    {
      title: "Runs",
      label: "Runs over time",
      kind: "bars",
      format: formatNumber,
      onPick: pickOf("runs"),
      series: runSeries(runs),
    },
    {
      title: "Latency",
      label: "Latency over time",
      kind: "lines",
      format: formatDuration,
      onPick: pickOf("runs"),
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p95) },
        { name: "p99", tone: "warn", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p99) },
      ],
    },
    {
      title: "Time to first token",
      description: "For streamed answers.",
      label: "Time to first token over time",
      kind: "lines",
      format: formatDuration,
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.first_token_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.first_token_ms.p95) },
      ],
    },
    {
      title: "Output tokens per second",
      description: "Measured while the answer streamed.",
      label: "Output tokens per second over time",
      kind: "lines",
      format: formatNumber,
      series: [
        { name: "tokens a second", tone: "accent", values: valuesOf(runs, (row) => row.tokens_per_second) },
      ],
    },
    {
      title: "Cached input",
      description: "The share of the input tokens that providers had in their caches.",
      label: "Cached share of the input over time",
      kind: "lines",
      format: percentText,
      series: [{ name: "cached", tone: "good", values: valuesOf(runs, cachedPercent) }],
    },
    {
      title: "Time in the queue",
      description: "How long predictions wait before they start.",
      label: "Time in the queue over time",
      kind: "lines",
      format: formatDuration,
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.queue_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.queue_ms.p95) },
      ],
    },
  ];
  if (deliveries)
    charts.push({
      title: "Webhook deliveries",
      description: "Every attempt is counted.",
      label: "Webhook deliveries over time",
      kind: "bars",
      format: formatNumber,
      onPick: pickOf("deliveries"),
      series: [
        {
          name: "delivered",
          tone: "good",
          values: valuesOf(deliveries, (row) => row.runs - row.errors, 0),
        },
        { name: "failed", tone: "bad", values: valuesOf(deliveries, ({ errors }) => errors, 0) },
      ],
    });
  const empty = charts.filter(({ series }) => !hasValues(series)).map(({ title }) => title.toLowerCase());
  return (
    <>
      <div className="grid gap-x-8 desktop:grid-cols-2">
        {charts
          .filter(({ series }) => hasValues(series))
          .map(({ title, description, ...chart }) => (
            <Section key={title} title={title} description={description}>
              <TimeChart {...chart} {...{ steps }} step={runs.step} pickHint="shows the runs behind them" />
            </Section>
          ))}
      </div>
      {empty.length > 0 && (
        <p className="mb-8 text-table text-muted">No data in this period: {empty.join(", ")}.</p>
      )}
    </>
  );
}

/** Null for a step without input, or from before cached tokens were counted. */
function cachedPercent({ tokens_in: all, tokens_cached: cached }: ActivitySum): number | null {
  return cached === null || all === 0 ? null : (cached / all) * 100;
}

function percentText(percent: number): string {
  return shareText(percent, 100);
}

interface PickedStretchProps {
  picked: (Stretch & { of: "runs" | "deliveries" }) | null;
  list: Pick<ActivityList, "rows_kept_from">;
  onClear: () => void;
}

/**
 * Links the picked part of a chart to the rows behind it, and says from when on the history still has them.
 */
export function PickedStretch({ picked, list, onClear }: PickedStretchProps) {
  const bounds =
    picked &&
    new URLSearchParams({
      created_after: new Date(picked.from).toISOString(),
      created_before: new Date(picked.to).toISOString(),
    }).toString();
  const keptFrom = list.rows_kept_from;
  const isGone = picked !== null && keptFrom !== null && picked.from < Date.parse(keptFrom);
  return (
    <div role="status">
      {picked && (
        <div className="mb-4 flex flex-wrap items-center gap-2 rounded-panel border bg-panel p-3 text-table">
          <span>
            <Time value={new Date(picked.from).toISOString()} mode="absolute" /> to{" "}
            <Time value={new Date(picked.to).toISOString()} mode="absolute" />
          </span>
          {picked.of === "runs" ? (
            <>
              <LinkButton size="sm" href={`/requests?${bounds}`}>
                Open the requests
              </LinkButton>
              <LinkButton size="sm" href={`/predictions?${bounds}`}>
                Open the predictions
              </LinkButton>
            </>
          ) : (
            <LinkButton size="sm" href={`/webhooks/deliveries?${bounds}`}>
              Open the deliveries
            </LinkButton>
          )}
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
          {isGone && (
            <span className="basis-full text-muted">
              Rows from before <Time value={keptFrom} mode="absolute" /> are counted here but no longer
              listed.
            </span>
          )}
        </div>
      )}
    </div>
  );
}

interface ActivityGroupsProps {
  list: ActivityList;
  by: ActivityGroup;
  names: Record<string, string>;
}

const heads: Record<ActivityGroup, string> = {
  model: "Model",
  key: "Key or person",
  member: "Member",
  provider: "Provider",
  region: "Region",
  status: "Status",
  code: "Error",
};

/** Labels for runs without a value in the chosen grouping. */
const none: Record<ActivityGroup, string> = {
  model: "Refused before a model was known",
  key: "Unknown",
  member: "Service keys",
  provider: "None",
  region: "None",
  status: "None",
  code: "No error",
};

/** The request log's filter for each grouping. Groupings without a filter are missing. */
const filters: Partial<Record<ActivityGroup, string>> = {
  model: "model",
  key: "key_id",
  status: "status",
  code: "code",
};

/** The period's figures as a table, grouped by model, key or another field. */
export function ActivityGroups({ list, by, names }: ActivityGroupsProps) {
  const nameOf = (group: string | null): string =>
    group === null ? none[by] : group === "*" ? "All others" : (names[group] ?? group);
  const hrefOf = (group: string | null): string | null => {
    const filter = filters[by];
    if (filter === undefined || group === null || group === "*" || group.startsWith("usr_")) return null;
    const bounds = { created_after: list.from, created_before: list.to };
    return `/requests?${new URLSearchParams({ ...bounds, [filter]: group })}`;
  };
  const rows = list.groups.map((sum) => ({ ...sum, id: sum.group ?? "" }));
  const columns: readonly Column<ActivitySum & { id: string }>[] = [
    {
      head: heads[by],
      cellClass: "wrap-anywhere",
      cell: ({ group }) => {
        const href = hrefOf(group);
        return href ? <Link href={href}>{nameOf(group)}</Link> : nameOf(group);
      },
    },
    { head: "Runs", numeric: true, from: "tablet", cell: ({ runs }) => formatNumber(runs) },
    {
      head: "Errors",
      numeric: true,
      from: "tablet",
      cell: ({ runs, errors }) => (
        <span className={errors > 0 ? "text-bad" : ""}>{shareText(errors, runs)}</span>
      ),
    },
    { head: "Refused", numeric: true, from: "tablet", cell: ({ refused }) => formatNumber(refused) },
    { head: "p50", numeric: true, from: "tablet", cell: ({ latency_ms }) => durationText(latency_ms.p50) },
    {
      head: "p95",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(latency_ms.p95),
    },
    {
      head: "p99",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(latency_ms.p99),
    },
    {
      head: "First token",
      numeric: true,
      from: "desktop",
      cell: ({ first_token_ms }) => durationText(first_token_ms.p50),
    },
    {
      head: "Tokens a second",
      numeric: true,
      from: "desktop",
      cell: ({ tokens_per_second }) => rateText(tokens_per_second),
    },
  ];
  return <RowsTable label={`Figures by ${heads[by].toLowerCase()}`} rows={rows} columns={columns} />;
}
