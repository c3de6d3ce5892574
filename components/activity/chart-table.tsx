import { useFormats, useWords } from "#words";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import type { Series } from "@/lib/activity/chart";
import type { Step } from "@/lib/activity/spans";
import { stepLabel, valueText } from "@/lib/activity/step-labels";

export interface ChartTableProps {
  /** Name of the chart. */
  label: string;
  /** The start of each step. */
  steps: readonly number[];
  step: Step;
  series: readonly Series[];
  format: (value: number) => string;
}

/** The chart's numbers as a table, newest first. Steps without data are left out. */
export function ChartTable({ label, steps, step, series, format }: ChartTableProps) {
  const t = useWords("charts");
  const formats = useFormats();
  const rows = steps
    .map((at, index) => ({ at, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .reverse();
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-control text-table text-muted">{t("showAsTable")}</summary>
      <div className="mt-2 max-h-80 max-w-2xl overflow-y-auto">
        <Table label={t("asTable", { label })}>
          <thead>
            <tr>
              <Th>{t("from")}</Th>
              {series.map(({ name }) => (
                <Th key={name} numeric>
                  {name}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, values }) => (
              <Tr key={at}>
                <Td className="tabular">{stepLabel(t, formats, at, step)}</Td>
                {values.map((value, index) => (
                  <Td key={series[index]?.name} numeric>
                    {valueText(value, format)}
                  </Td>
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}
