"use client";

import type { MetadataUsageList, UsageRow } from "#contract/usage.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { formatCount, formatNumber } from "@/lib/format";
import { totalsBy, totalsByDay, totalsByUnit, type UsageTotal } from "@/lib/usage/summary";
import { UsagePlot } from "./usage-plot.tsx";
import { UsageTable } from "./usage-table.tsx";

interface UsageReportProps {
  rows: UsageRow[];
  byMetadata: MetadataUsageList | null;
  span: { from: string; to: string };
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  /** The unit shown; empty or unknown: the busiest. */
  unit: string;
  onUnit: (unit: string) => void;
}

export function UsageReport({
  rows,
  byMetadata,
  span,
  keyNames,
  memberNames,
  unit,
  onUnit,
}: UsageReportProps) {
  const units = totalsByUnit(rows);
  const shown = units.find((total) => total.name === unit)?.name ?? units[0]?.name ?? "";
  const labelled = byMetadata?.data.filter((row) => row.unit === shown) ?? [];
  const metadataKeys = [...new Set(labelled.map(({ key }) => key))];
  const totalsOf = (wanted: string) =>
    labelled.filter(({ key }) => key === wanted).map((row) => ({ ...row, name: row.value ?? "" }));
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
        {metadataKeys.map((key) => (
          <Section key={key} title={`By ${key}`}>
            <UsageTable
              label={`${capitalised(shown)}s by ${key}`}
              heading={key}
              unit={shown}
              totals={totalsOf(key)}
              nameOf={(value) => value || "All others"}
            />
          </Section>
        ))}
      </div>
    </>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface UnitChoiceProps {
  units: UsageTotal[];
  shown: string;
  onChoose: (unit: string) => void;
}

/** The totals of the time, one per billing unit; each chooses what is shown below. */
function UnitChoice({ units, shown, onChoose }: UnitChoiceProps) {
  return (
    <fieldset className="mb-6 flex flex-wrap gap-2">
      <legend className="sr-only">Billing unit</legend>
      {units.map((unit) => (
        <button
          key={unit.name}
          type="button"
          aria-pressed={unit.name === shown}
          onClick={() => onChoose(unit.name)}
          className="min-w-36 flex-1 rounded-panel border bg-panel px-4 py-3 text-left hover:border-strong aria-pressed:border-accent aria-pressed:bg-accent-soft phone:flex-none"
        >
          <span className="block text-meta text-muted first-letter:uppercase">{unit.name}s</span>
          <span className="tabular block text-page font-semibold text-ink">
            {formatNumber(unit.quantity)}
          </span>
          <span className="tabular block text-meta text-muted">{formatCount(unit.requests, "request")}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The chart's numbers as a table. */
function UsageDays({ days, unit }: { days: UsageTotal[]; unit: string }) {
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-control text-table text-muted">Show as table</summary>
      <div className="mt-2 max-w-xl">
        <Table label={`${unit}s by day`}>
          <thead>
            <tr>
              <Th>Day (UTC)</Th>
              <Th numeric className="first-letter:uppercase">
                {unit}s
              </Th>
              <Th numeric>Runs</Th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <Tr key={day.name}>
                <Td className="tabular">{day.name}</Td>
                <Td numeric>{formatNumber(day.quantity)}</Td>
                <Td numeric>{formatNumber(day.requests)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
