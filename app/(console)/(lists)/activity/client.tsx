"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { useWords } from "#words";
import { ActivityCharts, ActivityGroups, ActivityTotals, PickedStretch } from "@/components/activity/figures";
import { OwnLoad } from "@/components/activity/own-load";
import type { Stretch } from "@/components/activity/time-chart";
import { LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useListView } from "@/components/ui/list/use-list-view";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { type Activity, activityQueries, activitySpanNames, usualActivity } from "@/lib/activity/spans";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { listView } from "@/lib/list-view";

const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);

const pollMs = 10_000;

/** Period and grouping, as in the page's address. */
const activityView = listView(["span", "by"]);

const groupings = [
  { value: "model", label: "model" },
  { value: "key", label: "key" },
  { value: "member", label: "member" },
  { value: "provider", label: "provider" },
  { value: "region", label: "region" },
  { value: "status", label: "status" },
  { value: "code", label: "error" },
] as const;

interface ActivityClientProps {
  initial: Activity;
  keys: readonly ApiKey[];
  /** Of keys and members, by id. */
  names: Record<string, string>;
}

/** Figures of the account over time: number of runs, their speed, and their failures. */
export function ActivityClient({ initial, keys, names }: ActivityClientProps) {
  const t = useWords("activity");
  const titles = useWords("pages");
  const { view, change } = useListView(activityView);
  const span = activitySpanNames.find((name) => name === view.span) ?? usualActivity.span;
  const by = groupings.find(({ value }) => value === view.by)?.value ?? usualActivity.by;
  const [paused, setPaused] = useState(false);
  const [picked, setPicked] = useState<(Stretch & { of: "runs" | "deliveries" }) | null>(null);
  const hasDeliveries = initial.deliveries !== null;
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ["activity", span, by],
    queryFn: async ({ signal }): Promise<Activity> => {
      const queries = activityQueries(span, by, Date.now());
      const [runs, groups, deliveries] = await Promise.all([
        fetchRoute("GET /activity", { query: queries.runs, signal }),
        fetchRoute("GET /activity", { query: queries.groups, signal }),
        hasDeliveries ? fetchRoute("GET /activity", { query: queries.deliveries, signal }) : null,
      ]);
      return { span, by, runs, groups, deliveries };
    },
    ...(span === initial.span && by === initial.by && { initialData: initial }),
    placeholderData: (previous) => previous,
    refetchInterval: paused ? false : pollMs,
  });
  const failure = failureBehind(error);
  const nothing =
    data && data.runs.total.runs + data.runs.total.refused === 0 && (data.deliveries?.total.runs ?? 0) === 0;
  return (
    <>
      <PageHeader
        title={titles("activity")}
        description={t("whatItShows")}
        actions={<LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={dataUpdatedAt} />}
      />
      <div className="mb-4">
        <RadioGroup
          legend={t("time")}
          hideLegend
          appearance="segments"
          options={activitySpanNames.map((value) => ({ value, label: t(`span${value}`) }))}
          value={span}
          onChange={(value) => {
            setPicked(null);
            change({ span: value });
          }}
        />
      </div>
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      {nothing && (
        <EmptyState
          drawing="signal"
          title={t(`nothing${span}`)}
          body={t("runsAppearHere")}
          action={<LinkButton href="/catalog">{t("openCatalog")}</LinkButton>}
        />
      )}
      {data && !nothing && (
        <>
          <ActivityTotals total={data.runs.total} />
          <PickedStretch picked={picked} list={data.runs} onClear={() => setPicked(null)} />
          <ActivityCharts runs={data.runs} deliveries={data.deliveries} onPick={setPicked} />
          <Section
            title={t("breakdown")}
            description={by === "provider" || by === "region" ? t("everyCallCounts") : undefined}
            actions={
              <RadioGroup
                legend={t("by")}
                hideLegend
                appearance="segments"
                options={groupings.map(({ value, label }) => ({ value, label: t(label) }))}
                value={by}
                onChange={(value) => change({ by: value })}
              />
            }
          >
            <ActivityGroups list={data.groups} by={data.by} names={names} />
          </Section>
          <OwnLoad keys={keys} />
        </>
      )}
    </>
  );
}
