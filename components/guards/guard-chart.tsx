"use client";

import type { GuardActivity } from "#contract/guards.ts";
import { useFormats, useWords } from "#words";
import { TimeChart } from "@/components/activity/time-chart";
import { Section } from "@/components/ui/page/section";
import { stepsOf } from "@/lib/activity/chart";

/** What came of the questions to a guard, per step, at both stages together. */
export function GuardChart({ activity }: { activity: GuardActivity }) {
  const t = useWords("guards");
  const format = useFormats();
  const steps = stepsOf(activity);
  const valuesOf = (read: (row: GuardActivity["data"][number]) => number) => {
    const sums = new Map<number, number>();
    for (const row of activity.data) {
      const at = Date.parse(row.at);
      sums.set(at, (sums.get(at) ?? 0) + read(row));
    }
    return steps.map((at) => sums.get(at) ?? 0);
  };
  return (
    <Section title={t("questions")} description={t("questionsDescription")}>
      {activity.data.length === 0 ? (
        <p className="text-muted">{t("noQuestions")}</p>
      ) : (
        <TimeChart
          label={t("questions")}
          steps={steps}
          step={activity.step}
          kind="bars"
          format={format.number}
          series={[
            {
              name: t("allowed"),
              tone: "good",
              values: valuesOf(({ allowed, replaced }) => allowed + replaced),
            },
            { name: t("blocked"), tone: "warn", values: valuesOf(({ blocked }) => blocked) },
            { name: t("failed"), tone: "bad", values: valuesOf(({ failed }) => failed) },
          ]}
        />
      )}
    </Section>
  );
}
