"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import { pairIn } from "#contract/metadata.ts";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import type { FilteredList } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { SearchFilter } from "@/components/ui/list/text-filter";
import { useDayCount } from "@/components/ui/list/use-day-count";
import { ViewsButton } from "@/components/ui/list/views-button";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { type PredictionFilterName, predictionList } from "@/lib/prediction-lists";
import { queryKeys } from "@/lib/query-keys";
import { predictionOptions } from "@/lib/status/prediction";
import { compareHref } from "../links.ts";
import { PredictionsHeader } from "../predictions-header.tsx";
import { RunFilters, ViewSwitch } from "../run-filters.tsx";
import { PredictionTable } from "./prediction-table.tsx";

const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  {
    loading: () => null,
  },
);

interface PredictionsListProps {
  initial: { query: ReturnType<typeof predictionList.queryOf>; list: List<Prediction> };
  modelIds: string[];
}

const busyEveryMs = 2_000;
const quietEveryMs = 5_000;

/**
 * The filtered list. The URL contains filters and page position. The newest page updates itself unless
 * paused.
 */
export function PredictionsList({ initial, modelIds }: PredictionsListProps) {
  const t = useWords("predictions");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const predictions = useLiveList({
    list: predictionList,
    initial,
    queryKey: queryKeys.predictions,
    read: (query, signal) => fetchRoute("GET /predictions", { query, signal }),
    everyMs: (shown, isNewest) => {
      if (!isNewest) return false;
      return shown.some(({ status }) => !isTerminal(status)) ? busyEveryMs : quietEveryMs;
    },
    isBusy: ticked.size > 0,
  });
  const { view, clear, active, list, rows, isNewest, isOld, live } = predictions;
  const isDayOfStatus = view.since === "24h" && view.status !== "" && active === 2;
  const total = useDayCount("predictions", isDayOfStatus ? view.status : null);
  return (
    <>
      <PredictionsHeader
        actions={
          <>
            <Permitted to="outputs:share">
              <LinkButton href="/predictions/shared">{t("sharedLinks")}</LinkButton>
            </Permitted>
            <ViewSwitch shown="list" view={view} />
            <LiveSwitch {...live} />
          </>
        }
      />
      <PredictionFilters list={predictions} modelIds={modelIds} summary={total ?? ""} ticked={[...ticked]} />
      <LiveRows list={predictions} total={{ route: "GET /predictions", noun: "prediction" }}>
        <div className={isOld ? "opacity-60" : undefined}>
          {rows.length > 0 && (
            <PredictionTable
              predictions={rows}
              search={predictionList.searchOf(view)}
              ticked={{ ids: ticked, set: setTicked }}
            />
          )}
          {list && rows.length === 0 && <NothingFound filtered={active > 0 || !isNewest} onClear={clear} />}
        </div>
      </LiveRows>
    </>
  );
}

function NothingFound({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords("predictions");
  return filtered ? (
    <EmptyState
      title={t("noPredictionsMatchTheseFilters")}
      body={t("chooseALongerPeriodOr")}
      action={<Button onClick={onClear}>{t("clearFilters")}</Button>}
    />
  ) : (
    <EmptyState
      title={t("noPredictionsYet")}
      body={
        <>
          {t("asynchronousRunsAppear")} <GuideLink to="predictions">{t("howToRunAndPoll")}</GuideLink>
        </>
      }
      action={
        <LinkButton href="/catalog" variant="primary">
          {t("chooseAModel")}
        </LinkButton>
      }
    />
  );
}

interface PredictionFiltersProps {
  list: FilteredList<PredictionFilterName>;
  modelIds: string[];
  summary: string;
  /** Ids that are chosen for comparison. */
  ticked: readonly string[];
}

function PredictionFilters({ ticked, ...props }: PredictionFiltersProps) {
  const t = useWords("predictions");
  const states = useWords("states");
  const { view, change } = props.list;
  return (
    <RunFilters
      {...props}
      first={[
        { name: "status", label: t("status"), any: t("anyStatus"), options: predictionOptions(states) },
        {
          name: "deliveries",
          label: t("deliveries"),
          any: t("anyDelivery"),
          options: [{ value: "undelivered", label: t("notDelivered") }],
        },
      ]}
      before={
        <SearchFilter
          of={t("prompts")}
          value={view.search}
          onChange={(search) => {
            const pair = pairIn(search);
            change(pair ? { search: "", metadata: pair } : { search });
          }}
        />
      }
      actions={
        <>
          {ticked.length > 1 && (
            <LinkButton variant="primary" href={compareHref(ticked)}>
              {t("compareTicked", { ticked: ticked.length })}
            </LinkButton>
          )}
          <ViewsButton list="predictions" search={predictionList.searchOf(view)} />
        </>
      }
    />
  );
}
