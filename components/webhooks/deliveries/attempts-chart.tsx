"use client";

import { useQuery } from "@tanstack/react-query";
import type { ActivityList } from "#contract/activity.ts";
import { useWords } from "#words";
import { TimeChart } from "@/components/activity/time-chart";
import { stepsOf, valuesOf } from "@/lib/activity/chart";
import { type Step, stepsFor } from "@/lib/activity/spans";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { timeBounds } from "@/lib/list-view";
import { type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";

interface AttemptsChartProps {
  view: DeliveryView;
  /** Limits the list to a period, in RFC 3339. */
  onNarrow: (after: string, before: string) => void;
}

/** Accepted and failed attempts at each step. */
interface Attempts {
  step: Step;
  steps: number[];
  accepted: (number | null)[];
  failed: (number | null)[];
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
  const read = from < to ? readerOf(view, from, to) : null;
  const { data } = useQuery({
    queryKey: ["activity", "deliveries", deliveryList.searchOf(view), created_after, created_before],
    queryFn: ({ signal }) => read?.(signal) ?? null,
    enabled: read !== null,
    placeholderData: (previous) => previous,
    refetchInterval: pollMs,
  });
  if (!read) return <p className="mb-3 text-meta text-muted">{t("noChartForFilters")}</p>;
  return (
    <div className="mb-4 min-h-32">
      {data && (
        <TimeChart
          label={t("attemptsOverTime")}
          steps={data.steps}
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
            { name: t("attemptsAcceptedThen"), tone: "accent", values: data.accepted },
            { name: t("attemptsFailedThen"), tone: "bad", values: data.failed },
          ]}
        />
      )}
    </div>
  );
}

type Read = (signal: AbortSignal) => Promise<Attempts>;

/**
 * Reads what the gateway counts: attempts by the class of their response, or those at one endpoint in the last 24
 * hours. Null if it does not count by these filters.
 */
function readerOf(view: DeliveryView, from: number, to: number): Read | null {
  const { status_class, endpoint_id, since, created_after, created_before, after, before, ...others } = view;
  if (Object.values(others).some((value) => value !== "")) return null;
  if (endpoint_id === "")
    return async (signal) => {
      const given = status_class ? { status_class: status_class as "2xx" } : {};
      const query = { ...stepsFor(from, to), ...given, of: "deliveries" } as const;
      return attemptsOf(await fetchRoute("GET /activity", { query, signal }));
    };
  const isLastDay = (since === "" || since === "24h") && created_after === "" && created_before === "";
  if (!isLastDay || status_class !== "") return null;
  return async (signal) => {
    const params = { id: endpoint_id };
    const { health } = await fetchRoute("GET /webhooks/endpoints/{id}", { params, signal });
    const hours = health?.hourly ?? [];
    return {
      step: "hour",
      steps: hours.map(({ at }) => Date.parse(at)),
      accepted: hours.map(({ delivered }) => delivered),
      failed: hours.map(({ failed }) => failed),
    };
  };
}

function attemptsOf(list: ActivityList): Attempts {
  return {
    step: list.step,
    steps: stepsOf(list),
    accepted: valuesOf(list, (row) => row.runs - row.errors, 0),
    failed: valuesOf(list, ({ errors }) => errors, 0),
  };
}
