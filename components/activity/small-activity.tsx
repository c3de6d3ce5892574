"use client";

import type { ActivityList } from "#contract/activity.ts";
import { useFormats, useWords } from "#words";
import { usePageRouter } from "@/components/ui/page/link";
import { runSeries, stepsOf } from "@/lib/activity/chart";
import { TimeChart } from "./time-chart.tsx";

/** The runs of the last 24 hours, for the home page. */
export function SmallActivity({ runs }: { runs: ActivityList }) {
  const t = useWords("charts");
  const format = useFormats();
  const router = usePageRouter();
  return (
    <TimeChart
      label={t("runsInLastDay")}
      steps={stepsOf(runs)}
      step={runs.step}
      kind="bars"
      height="h-20"
      hasTable={false}
      format={format.number}
      onPick={({ from, to }) => {
        const bounds = {
          created_after: new Date(from).toISOString(),
          created_before: new Date(to).toISOString(),
        };
        router.push(`/requests?${new URLSearchParams(bounds)}`);
      }}
      pickHint={t("opensRequests")}
      series={runSeries(t, runs)}
    />
  );
}
