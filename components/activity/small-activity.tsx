"use client";

import type { ActivityList } from "#contract/activity.ts";
import { usePageRouter } from "@/components/ui/page/link";
import { runSeries, stepsOf } from "@/lib/activity/chart";
import { formatNumber } from "@/lib/format";
import { TimeChart } from "./time-chart.tsx";

/** The runs of the last 24 hours, for the home page. */
export function SmallActivity({ runs }: { runs: ActivityList }) {
  const router = usePageRouter();
  return (
    <TimeChart
      label="Runs in the last 24 hours"
      steps={stepsOf(runs)}
      step={runs.step}
      kind="bars"
      height="h-20"
      hasTable={false}
      format={formatNumber}
      onPick={({ from, to }) => {
        const bounds = {
          created_after: new Date(from).toISOString(),
          created_before: new Date(to).toISOString(),
        };
        router.push(`/requests?${new URLSearchParams(bounds)}`);
      }}
      pickHint="opens the requests"
      series={runSeries(runs)}
    />
  );
}
