"use client";

import { useQuery } from "@tanstack/react-query";
import { useWords } from "#words";
import { TimeChart } from "@/components/activity/time-chart";
import { stepsOf, valuesOf } from "@/lib/activity/chart";
import { stepsFor } from "@/lib/activity/spans";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { timeBounds } from "@/lib/list-view";
import { type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";

interface AttemptsChartProps {
  view: DeliveryView;
  /** Limits the list to a period, in RFC 3339. */
  onNarrow: (after: string, before: string) => void;
}

const dayMs = 86_400_000;
const pollMs = 30_000;
/** The end of the period is rounded up to this, so that the same query can be cached for a while. */
const endStepMs = 60_000;

/** Attempts over time. Dragging, or the keyboard, limits the list to deliveries of a part of it. */
export function AttemptsChart({ view, onNarrow }: AttemptsChartProps) {
  const t = useWords("webhooks");
  const now = Math.ceil(Date.now() / endStepMs) * endStepMs;
  const { created_after, created_before } = timeBounds(view, now);
  const to = created_before ? Date.parse(created_before) : now;
  const from = created_after ? Date.parse(created_after) : to - dayMs;
  const query = queryOf(view, from, to);
  const { data } = useQuery({
    queryKey: ["activity", "deliveries", deliveryList.searchOf(view), created_after, created_before],
    queryFn: ({ signal }) => (query ? fetchRoute("GET /activity", { query, signal }) : null),
    enabled: query !== null,
    placeholderData: (previous) => previous,
    refetchInterval: pollMs,
  });
  if (!query) return <p className="mb-3 text-meta text-muted">{t("noChartForFilters")}</p>;
  return (
    <div className="mb-4 min-h-32">
      {data && (
        <TimeChart
          label={t("attemptsOverTime")}
          steps={stepsOf(data)}
          step={data.step}
          kind="bars"
          height="h-24"
          hasTable={false}
          format={formatNumber}
          onPick={(stretch) =>
            onNarrow(new Date(stretch.from).toISOString(), new Date(stretch.to).toISOString())
          }
          pickHint={t("narrowsToThese")}
          series={[
            {
              name: t("attemptsAcceptedThen"),
              tone: "accent",
              values: valuesOf(data, (row) => row.runs - row.errors, 0),
            },
            { name: t("attemptsFailedThen"), tone: "bad", values: valuesOf(data, ({ errors }) => errors, 0) },
          ]}
        />
      )}
    </div>
  );
}

/** The query of the figures: attempts by the class of their response. Null if they are not counted by these filters. */
function queryOf(view: DeliveryView, from: number, to: number) {
  const {
    status_class,
    since: _s,
    created_after: _a,
    created_before: _b,
    after: _n,
    before: _p,
    ...others
  } = view;
  if (from >= to || Object.values(others).some(Boolean)) return null;
  const given = status_class && { status_class: status_class as "2xx" };
  return { ...stepsFor(from, to), ...given, of: "deliveries" } as const;
}
