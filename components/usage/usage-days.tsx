import { Table, Td, Th, Tr } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";

/** The chart's numbers as a table. */
export function UsageDays({ days, unit }: { days: UsageTotal[]; unit: string }) {
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
