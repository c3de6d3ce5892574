"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useState } from "react";
import type { HealthReport } from "#contract/operator/health.ts";
import { HealthTable } from "@/components/operator/health-table";
import { LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { LiveSwitch } from "@/components/ui/list/live-switch";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { healthSearchParams } from "./search-params.ts";

const pollMs = 10_000;

const periods = [
  { value: "15", label: "15 min" },
  { value: "60", label: "1 h" },
  { value: "360", label: "6 h" },
  { value: "1440", label: "24 h" },
];

/** How the upstreams do, from the requests and predictions that went there: nothing is sent to learn it. */
export function HealthClient({ initial }: { initial: HealthReport }) {
  const [minutes, setMinutes] = useQueryState("minutes", healthSearchParams.minutes);
  const [paused, setPaused] = useState(false);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ["operator", "health", minutes],
    queryFn: ({ signal }) => fetchRoute("GET /operator/health", { query: { minutes }, signal }),
    ...(minutes === initial.minutes && { initialData: initial }),
    placeholderData: (previous) => previous,
    refetchInterval: paused ? false : pollMs,
  });
  const failure = failureBehind(error);
  return (
    <>
      <PageHeader
        title="Health"
        description="How each model did at its provider, from real traffic only."
        actions={<LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={dataUpdatedAt} />}
      />
      <div className="mb-3">
        <RadioGroup
          legend="Time"
          hideLegend
          appearance="segments"
          options={periods}
          value={String(minutes)}
          onChange={(value) => void setMinutes(Number(value))}
        />
      </div>
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      {data?.database_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          The disk of the database has been full since{" "}
          <Time value={data.database_full_since} mode="absolute" />: nothing can be saved, and requests are
          answered with 503. Free some space on it; the gateway notices within five seconds.
        </p>
      )}
      {data?.store_full_since && (
        <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 text-ink">
          The object store or its disk has been full since{" "}
          <Time value={data.store_full_since} mode="absolute" />: files cannot be stored. Free some space.
          Results that are waiting are stored as soon as there is room, within the time limit of their runs.
        </p>
      )}
      {data &&
        (data.data.length === 0 ? (
          <EmptyState
            drawing="signal"
            title="Nothing runs at a provider yet"
            body="Map a model to a provider. Its errors and latency appear here once requests run."
            action={<LinkButton href="/operator/routes">Open the mapping</LinkButton>}
          />
        ) : (
          <HealthTable rows={data.data} />
        ))}
    </>
  );
}
