import type { ComponentProps } from "react";
import type { ActivityGroup, ActivityList, ActivitySum } from "#contract/activity.ts";
import { useFormats, useWords } from "#words";
import { Button, LinkButton } from "@/components/ui/button";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { hasValues, runSeries, stepsOf, valuesOf } from "@/lib/activity/chart";
import type { Formats } from "@/lib/format";
import { shareText } from "@/lib/share-text";
import type { Key } from "@/messages/words";
import { type Stretch, TimeChart } from "./time-chart.tsx";

/** Totals of the period: runs, errors, latency and other figures. */
export function ActivityTotals({ total }: { total: ActivitySum }) {
  const t = useWords("activity");
  const format = useFormats();
  const { runs, errors, refused, latency_ms: latency, first_token_ms: first } = total;
  const figures = [
    { label: t("runs"), value: format.number(runs) },
    {
      label: t("errors"),
      value: t("errorsAndShare", { errors, share: shareText(format, errors, runs) }),
      isBad: errors > 0,
    },
    { label: t("refusedRequests"), value: format.number(refused) },
    { label: t("latencyP50"), value: durationText(format, latency.p50) },
    { label: t("latencyP95"), value: durationText(format, latency.p95) },
    { label: t("latencyP99"), value: durationText(format, latency.p99) },
    { label: t("firstTokenP50"), value: durationText(format, first.p50) },
    { label: t("outputTokensPerSecond"), value: rateText(format, total.tokens_per_second) },
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

function durationText(format: Formats, ms: number | null): string {
  return ms === null ? "–" : format.duration(ms);
}

function rateText(format: Formats, perSecond: number | null): string {
  return perSecond === null ? "–" : format.number(Math.round(perSecond));
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
  const t = useWords("activity");
  const ofCharts = useWords("charts");
  const format = useFormats();
  const steps = stepsOf(runs);
  const pickOf = (of: "runs" | "deliveries") => (stretch: Stretch) => onPick({ ...stretch, of });
  const charts: Chart[] = [
    {
      title: t("runs"),
      label: t("runsOverTime"),
      kind: "bars",
      format: format.number,
      onPick: pickOf("runs"),
      series: runSeries(ofCharts, runs),
    },
    {
      title: t("latency"),
      label: t("latencyOverTime"),
      kind: "lines",
      format: format.duration,
      onPick: pickOf("runs"),
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p95) },
        { name: "p99", tone: "warn", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p99) },
      ],
    },
    {
      title: t("timeToFirstToken"),
      description: t("forStreamedAnswers"),
      label: t("timeToFirstTokenOverTime"),
      kind: "lines",
      format: format.duration,
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.first_token_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.first_token_ms.p95) },
      ],
    },
    {
      title: t("outputTokensPerSecond"),
      description: t("whileAnswersStreamed"),
      label: t("outputTokensOverTime"),
      kind: "lines",
      format: format.number,
      series: [
        { name: t("tokensASecond"), tone: "accent", values: valuesOf(runs, (row) => row.tokens_per_second) },
      ],
    },
    {
      title: t("cachedInput"),
      description: t("shareInCaches"),
      label: t("cachedShareOverTime"),
      kind: "lines",
      format: (percent: number) => shareText(format, percent, 100),
      series: [{ name: t("cached"), tone: "good", values: valuesOf(runs, cachedPercent) }],
    },
    {
      title: t("timeInQueue"),
      description: t("howLongPredictionsWait"),
      label: t("timeInQueueOverTime"),
      kind: "lines",
      format: format.duration,
      series: [
        { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.queue_ms.p50) },
        { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.queue_ms.p95) },
      ],
    },
  ];
  if (deliveries)
    charts.push({
      title: t("deliveries"),
      description: t("everyAttemptCounts"),
      label: t("deliveriesOverTime"),
      kind: "bars",
      format: format.number,
      onPick: pickOf("deliveries"),
      series: [
        {
          name: t("delivered"),
          tone: "good",
          values: valuesOf(deliveries, (row) => row.runs - row.errors, 0),
        },
        { name: t("failed"), tone: "bad", values: valuesOf(deliveries, ({ errors }) => errors, 0) },
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
              <TimeChart {...chart} {...{ steps }} step={runs.step} pickHint={t("showsRuns")} />
            </Section>
          ))}
      </div>
      {empty.length > 0 && (
        <p className="mb-8 text-table text-muted">{t("noDataFor", { charts: format.list(empty) })}</p>
      )}
    </>
  );
}

/** Null for a step without input, or from before cached tokens were counted. */
function cachedPercent({ tokens_in: all, tokens_cached: cached }: ActivitySum): number | null {
  return cached === null || all === 0 ? null : (cached / all) * 100;
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
  const t = useWords("activity");
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
            {t.rich(
              "fromTo",
              {},
              {
                from: () => <Time key="from" value={new Date(picked.from).toISOString()} mode="absolute" />,
                to: () => <Time key="to" value={new Date(picked.to).toISOString()} mode="absolute" />,
              },
            )}
          </span>
          {picked.of === "runs" ? (
            <>
              <LinkButton size="sm" href={`/requests?${bounds}`}>
                {t("openRequests")}
              </LinkButton>
              <LinkButton size="sm" href={`/predictions?${bounds}`}>
                {t("openPredictions")}
              </LinkButton>
            </>
          ) : (
            <LinkButton size="sm" href={`/webhooks/deliveries?${bounds}`}>
              {t("openDeliveries")}
            </LinkButton>
          )}
          <Button size="sm" variant="ghost" onClick={onClear}>
            {t("clear")}
          </Button>
          {isGone && (
            <span className="basis-full text-muted">
              {t.rich(
                "noLongerListed",
                {},
                { time: () => <Time key="time" value={keptFrom} mode="absolute" /> },
              )}
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

const heads = {
  model: "model",
  key: "keyOrPerson",
  member: "member",
  provider: "provider",
  region: "region",
  status: "status",
  code: "error",
} as const satisfies Record<ActivityGroup, Key<"activity">>;

/** Labels for runs without a value in the chosen grouping. */
const none = {
  model: "refusedBeforeModel",
  key: "unknown",
  member: "serviceKeys",
  provider: "none",
  region: "none",
  status: "none",
  code: "noError",
} as const satisfies Record<ActivityGroup, Key<"activity">>;

/** The request log's filter for each grouping. Groupings without a filter are missing. */
const filters: Partial<Record<ActivityGroup, string>> = {
  model: "model",
  key: "key_id",
  status: "status",
  code: "code",
};

/** The period's figures as a table, grouped by model, key or another field. */
export function ActivityGroups({ list, by, names }: ActivityGroupsProps) {
  const t = useWords("activity");
  const format = useFormats();
  const nameOf = (group: string | null): string =>
    group === null ? t(none[by]) : group === "*" ? t("allOthers") : (names[group] ?? group);
  const hrefOf = (group: string | null): string | null => {
    const filter = filters[by];
    if (filter === undefined || group === null || group === "*" || group.startsWith("usr_")) return null;
    const bounds = { created_after: list.from, created_before: list.to };
    return `/requests?${new URLSearchParams({ ...bounds, [filter]: group })}`;
  };
  const rows = list.groups.map((sum) => ({ ...sum, id: sum.group ?? "" }));
  const columns: readonly Column<ActivitySum & { id: string }>[] = [
    {
      head: t(heads[by]),
      cellClass: "wrap-anywhere",
      cell: ({ group }) => {
        const href = hrefOf(group);
        const name = href ? <Link href={href}>{nameOf(group)}</Link> : nameOf(group);
        return group === null || group === "*" ? name : <span translate="no">{name}</span>;
      },
    },
    { head: t("runs"), numeric: true, from: "tablet", cell: ({ runs }) => format.number(runs) },
    {
      head: t("errors"),
      numeric: true,
      from: "tablet",
      cell: ({ runs, errors }) => (
        <span className={errors > 0 ? "text-bad" : ""}>{shareText(format, errors, runs)}</span>
      ),
    },
    { head: t("refused"), numeric: true, from: "tablet", cell: ({ refused }) => format.number(refused) },
    {
      head: "p50",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(format, latency_ms.p50),
    },
    {
      head: "p95",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(format, latency_ms.p95),
    },
    {
      head: "p99",
      numeric: true,
      from: "tablet",
      cell: ({ latency_ms }) => durationText(format, latency_ms.p99),
    },
    {
      head: t("firstToken"),
      numeric: true,
      from: "desktop",
      cell: ({ first_token_ms }) => durationText(format, first_token_ms.p50),
    },
    {
      head: t("tokensASecondHead"),
      numeric: true,
      from: "desktop",
      cell: ({ tokens_per_second }) => rateText(format, tokens_per_second),
    },
  ];
  return (
    <RowsTable label={t("figuresBy", { what: t(heads[by]).toLowerCase() })} rows={rows} columns={columns} />
  );
}
