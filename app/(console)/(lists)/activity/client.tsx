"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { ActivityCharts, ActivityGroups, ActivityTotals, PickedStretch } from "@/components/activity/figures";
import { OwnLoad } from "@/components/activity/own-load";
import type { Stretch } from "@/components/activity/time-chart";
import { LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { type Activity, activityQueries, activitySpanNames, activitySpans } from "@/lib/activity/spans";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { activitySearch } from "./search-params.ts";

const pollMs = 10_000;

const groupings = [
  { value: "model", label: "Model" },
  { value: "key", label: "Key" },
  { value: "member", label: "Member" },
  { value: "provider", label: "Provider" },
  { value: "region", label: "Region" },
  { value: "status", label: "Status" },
  { value: "code", label: "Error" },
] as const;

interface ActivityClientProps {
  initial: Activity;
  keys: readonly ApiKey[];
  /** Of keys and members, by id. */
  names: Record<string, string>;
}

/** Figures of the account over time: number of runs, their speed, and their failures. */
export function ActivityClient({ initial, keys, names }: ActivityClientProps) {
  const [{ span, by }, setSearch] = useQueryStates(activitySearch, { history: "push" });
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
        title="Activity"
        description="Number of runs, their duration, and their failures."
        actions={<LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={dataUpdatedAt} />}
      />
      <div className="mb-4">
        <RadioGroup
          legend="Time"
          hideLegend
          appearance="segments"
          options={activitySpanNames.map((value) => ({ value, label: activitySpans[value].label }))}
          value={span}
          onChange={(value) => {
            setPicked(null);
            void setSearch({ span: value });
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
          title={`Nothing ran in ${activitySpans[span].period}`}
          body="Runs from this console and from your programs appear here within seconds."
          action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
        />
      )}
      {data && !nothing && (
        <>
          <ActivityTotals total={data.runs.total} />
          <PickedStretch picked={picked} list={data.runs} onClear={() => setPicked(null)} />
          <ActivityCharts runs={data.runs} deliveries={data.deliveries} onPick={setPicked} />
          <Section
            title="Breakdown"
            description={
              by === "provider" || by === "region"
                ? "Every provider call counts, including retries at another provider."
                : undefined
            }
            actions={
              <RadioGroup
                legend="By"
                hideLegend
                appearance="segments"
                options={groupings}
                value={by}
                onChange={(value) => void setSearch({ by: value })}
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
