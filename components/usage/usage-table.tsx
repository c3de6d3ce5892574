import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";

interface UsageTableProps {
  label: string;
  heading: string;
  unit: string;
  totals: UsageTotal[];
  nameOf: (name: string) => string;
  hrefOf?: (name: string) => string;
}

/** Totals with the share of each drawn behind its number. */
export function UsageTable({ label, heading, unit, totals, nameOf, hrefOf }: UsageTableProps) {
  const largest = Math.max(1, ...totals.map((total) => total.quantity));
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{heading}</Th>
          <Th className="max-phone:hidden">
            <span className="sr-only">Share</span>
          </Th>
          <Th numeric className="first-letter:uppercase">
            {unit}s
          </Th>
          <Th numeric>Runs</Th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total) => (
          <Tr key={total.name}>
            <Td className="wrap-anywhere">
              {hrefOf ? (
                <RowLink href={hrefOf(total.name)} className="font-mono">
                  {nameOf(total.name)}
                </RowLink>
              ) : (
                nameOf(total.name)
              )}
            </Td>
            <Td className="w-24 max-phone:hidden">
              <svg
                viewBox="0 0 100 6"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-1.5 w-full"
              >
                <rect width={100} height={6} rx={1} className="fill-(--sunken)" />
                <rect
                  width={Math.max(1, (total.quantity / largest) * 100)}
                  height={6}
                  className="fill-(--accent-fill)"
                />
              </svg>
            </Td>
            <Td numeric>{formatNumber(total.quantity)}</Td>
            <Td numeric>{formatNumber(total.requests)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
