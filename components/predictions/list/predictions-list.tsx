"use client";

import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { Button, LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { LiveSwitch } from "@/components/ui/live-switch";
import { Pager } from "@/components/ui/pager";
import { useDayCount } from "@/components/ui/use-day-count";
import { useHeldList } from "@/components/ui/use-held-list";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import {
  activeFilters,
  emptyFilter,
  filterSearch,
  type PredictionFilter,
  predictionFilterParsers,
} from "../filter.ts";
import { PredictionFilters } from "./prediction-filters.tsx";
import { PredictionTable } from "./prediction-table.tsx";
import { PredictionsHeader } from "./predictions-header.tsx";
import { usePredictionList } from "./use-prediction-list.ts";

const EmptyState = dynamic(() => import("@/components/ui/empty-state").then((module) => module.EmptyState), {
  loading: () => null,
});

const NewRows = dynamic(() => import("@/components/ui/new-rows").then((module) => module.NewRows), {
  ssr: false,
});

interface PredictionsListProps {
  initial: List<Prediction>;
  initialFilter: PredictionFilter;
  modelIds: string[];
}

/** The filtered list; filters and place stand in the URL, and the newest page updates by itself unless paused. */
export function PredictionsList({ initial, initialFilter, modelIds }: PredictionsListProps) {
  const [filter, setFilter] = useQueryStates(predictionFilterParsers, { history: "push" });
  const [live, setLive] = useState(true);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const tick = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id]);
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = usePredictionList({
    filter,
    initial,
    initialFilter,
    live,
  });
  const isDayOfStatus = filter.period === "24h" && activeFilters(filter) === 2;
  const total = useDayCount("predictions", isDayOfStatus ? filter.status : null);
  const paged = filter.after !== null || filter.before !== null;
  const results = useRef<HTMLDivElement>(null);
  const held = useHeldList({
    list: isPlaceholderData ? undefined : data,
    updatedAtMs: dataUpdatedAt,
    scope: JSON.stringify(filter),
    container: results,
    isBusy: ticked.length > 0,
  });
  const shown = (!paged && held.list) || data;
  const rows = shown?.data ?? [];
  const failure = failureBehind(error);
  const change = (next: Partial<PredictionFilter>) => {
    // A time is typed part by part: not each part is a step to go back to.
    const typed = !("period" in next) && ("from" in next || "to" in next);
    void setFilter({ ...next, after: null, before: null }, typed ? { history: "replace" } : {});
  };
  return (
    <>
      <PredictionsHeader
        actions={
          <LiveSwitch paused={!live} onChange={(paused) => setLive(!paused)} updatedAtMs={dataUpdatedAt} />
        }
      />
      <PredictionFilters
        filter={filter}
        onChange={change}
        modelIds={modelIds}
        summary={
          total ??
          (data
            ? `${formatCount(rows.length, "prediction")}${data.has_more || paged ? " on this page" : ""}`
            : "")
        }
        ticked={ticked}
      />
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      <div role="status" className="contents">
        {!paged && held.waiting > 0 && (
          <NewRows count={held.waiting} container={results} onShow={held.release} />
        )}
      </div>
      <div
        ref={results}
        aria-busy={isPlaceholderData}
        className={isPlaceholderData ? "opacity-60" : undefined}
      >
        {rows.length > 0 && (
          <PredictionTable
            predictions={rows}
            search={filterSearch(filter)}
            ticks={{ ids: ticked, onTick: tick }}
          />
        )}
        {data && rows.length === 0 && (
          <NothingFound filtered={activeFilters(filter) > 0 || paged} onClear={() => change(emptyFilter)} />
        )}
      </div>
      {shown && <Pager hasMore={shown.has_more} first={shown.first_id} last={shown.last_id} />}
    </>
  );
}

function NothingFound({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      title="No predictions match these filters"
      body="Choose a longer period or clear a filter."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      title="No predictions yet"
      body={
        <>
          Asynchronous runs, such as video generation, appear here.{" "}
          <GuideLink to="predictions">How to run and poll</GuideLink>
        </>
      }
      action={
        <LinkButton href="/catalog" variant="primary">
          Choose a model
        </LinkButton>
      }
    />
  );
}
