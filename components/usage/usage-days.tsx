import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";
import { UsageValue } from "./usage-value.tsx";

interface UsageDaysProps {
  days: UsageTotal[];
  before: UsageTotal[];
  heading: string;
  /** Null: values are quantities. */
  currency: string | null;
  /** Where the runs of a day are. */
  hrefOf: (day: string) => string | null;
}

/** The chart's numbers as a table. */
export function UsageDays({ days, before, heading, currency, hrefOf }: UsageDaysProps) {
  const rows = days.map((day, index) => ({ day, earlier: before[index] })).reverse();
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-control text-table text-muted">Show as table</summary>
      <div className="mt-2 max-w-2xl">
        <Table label={`${heading} by day, as a table`}>
          <thead>
            <tr>
              <Th>Day (UTC)</Th>
              <Th numeric>{heading}</Th>
              <Th numeric>Runs</Th>
              <Th numeric className="max-phone:hidden">
                The period before
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ day, earlier }) => (
              <Tr key={day.name}>
                <Td className="tabular">
                  <DayName day={day.name} href={day.requests > 0 ? hrefOf(day.name) : null} />
                </Td>
                <Td numeric>
                  <UsageValue total={day} currency={currency} />
                </Td>
                <Td numeric>{formatNumber(day.requests)}</Td>
                <Td numeric className="text-muted max-phone:hidden">
                  {earlier && <UsageValue total={earlier} currency={currency} />}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}

function DayName({ day, href }: { day: string; href: string | null }) {
  return href ? <RowLink href={href}>{day}</RowLink> : day;
}
