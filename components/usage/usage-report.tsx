"use client";

import type { UsageRow } from "#contract/usage.ts";
import { Section } from "@/components/ui/section";
import { totalsBy, totalsByDay, totalsByUnit } from "@/lib/usage/summary";
import { UnitChoice } from "./unit-choice.tsx";
import { UsageDays } from "./usage-days.tsx";
import { UsagePlot } from "./usage-plot.tsx";
import { UsageTable } from "./usage-table.tsx";

interface UsageReportProps {
  rows: UsageRow[];
  span: { from: string; to: string };
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  /** The unit shown; empty or unknown: the busiest. */
  unit: string;
  onUnit: (unit: string) => void;
}

export function UsageReport({ rows, span, keyNames, memberNames, unit, onUnit }: UsageReportProps) {
  const units = totalsByUnit(rows);
  const shown = units.find((total) => total.name === unit)?.name ?? units[0]?.name ?? "";
  const days = totalsByDay(rows, shown, span.from, span.to);
  return (
    <>
      <UnitChoice units={units} shown={shown} onChoose={onUnit} />
      <Section title={`${capitalised(shown)}s by day`}>
        <div className="rounded-panel border bg-panel p-3">
          <UsagePlot days={days} unit={shown} />
        </div>
        <UsageDays days={days} unit={shown} />
      </Section>
      <div className="grid gap-x-6 desktop:grid-cols-2">
        <Section title="By model">
          <UsageTable
            label={`${capitalised(shown)}s by model`}
            heading="Model"
            unit={shown}
            totals={totalsBy(rows, shown, "model")}
            hrefOf={(model) => `/catalog/${model}`}
            nameOf={(model) => model}
          />
        </Section>
        <Section title="By key">
          <UsageTable
            label={`${capitalised(shown)}s by key`}
            heading="Key"
            unit={shown}
            totals={totalsBy(rows, shown, "key_id")}
            nameOf={(key) => (key === "" ? "Signed-in people" : (keyNames[key] ?? key))}
          />
        </Section>
        {Object.keys(memberNames).length > 1 && (
          <Section title="By member">
            <UsageTable
              label={`${capitalised(shown)}s by member`}
              heading="Member"
              unit={shown}
              totals={totalsBy(rows, shown, "user_id")}
              nameOf={(id) => (id === "" ? "Service keys" : (memberNames[id] ?? "Former member"))}
            />
          </Section>
        )}
      </div>
    </>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
