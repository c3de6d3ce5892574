"use client";

import { useQuery } from "@tanstack/react-query";
import { TimeChart } from "@/components/activity/time-chart";
import { stepsOf, valuesOf } from "@/lib/activity/chart";
import { stepsFor } from "@/lib/activity/spans";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { timeBounds } from "@/lib/list-view";
import type { requestList } from "@/lib/lists";

type View = typeof requestList.empty;

interface RequestHistogramProps {
  view: View;
  /** Narrows the list to a stretch of time, as RFC 3339. */
  onNarrow: (after: string, before: string) => void;
}

const dayMs = 86_400_000;
const pollMs = 30_000;
/** A moving end is rounded up to this, so that the same chart is asked for for a while. */
const endStepMs = 60_000;

/** How many requests there were: drag over it, or use the keyboard, to narrow the list. */
export function RequestHistogram({ view, onNarrow }: RequestHistogramProps) {
  const now = Math.ceil(Date.now() / endStepMs) * endStepMs;
  const { created_after, created_before } = timeBounds(view, now);
  const to = created_before ? Date.parse(created_before) : now;
  const from = created_after ? Date.parse(created_after) : to - dayMs;
  const query = queryOf(view);
  const isValid = query !== null && Number.isFinite(from) && Number.isFinite(to) && from < to;
  const { data } = useQuery({
    queryKey: ["activity", "requests", query, created_after, created_before],
    queryFn: ({ signal }) =>
      fetchRoute("GET /activity", { query: { ...stepsFor(from, to), ...query, of: "requests" }, signal }),
    enabled: isValid,
    placeholderData: (previous) => previous,
    refetchInterval: pollMs,
  });
  if (!isValid)
    return (
      <p className="mb-3 text-meta text-muted">
        There is no chart for this filter: requests are counted by path, model and status, or by key and
        status.
      </p>
    );
  return (
    <div className="mb-4 min-h-32">
      {data && (
        <TimeChart
          label="Requests over time"
          steps={stepsOf(data)}
          step={data.step}
          kind="bars"
          height="h-24"
          hasTable={false}
          format={formatNumber}
          onPick={(stretch) =>
            onNarrow(new Date(stretch.from).toISOString(), new Date(stretch.to).toISOString())
          }
          pickHint="narrows the list to them"
          series={[
            { name: "succeeded", tone: "accent", values: valuesOf(data, (row) => row.runs - row.errors, 0) },
            { name: "errors", tone: "bad", values: valuesOf(data, ({ errors }) => errors, 0) },
          ]}
        />
      )}
    </div>
  );
}

/** The filters as figures take them; null where they are not counted so. */
function queryOf({ status, status_class, code, route, model, key_id, user_id, actor, metadata }: View) {
  if (status || actor || user_id || metadata || (key_id && (route || model))) return null;
  const given = Object.entries({ status_class, code, route, model, key_id }).filter(
    ([, value]) => value !== "",
  );
  return Object.fromEntries(given) as { route?: string; model?: string; key_id?: string };
}
