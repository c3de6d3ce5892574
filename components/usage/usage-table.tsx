import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatNumber } from "@/lib/format";
import type { UsageTotal } from "@/lib/usage/summary";
import { UsageValue } from "./usage-value.tsx";

interface UsageTableProps {
  label: string;
  heading: string;
  /** The value column: a billing unit, or "Cost". */
  valueHeading: string;
  /** Null: values are quantities. */
  currency: string | null;
  totals: UsageTotal[];
  nameOf: (name: string) => string;
  hrefOf?: (name: string) => string | null;
}

/** Totals, with the share of each drawn behind its number. */
export function UsageTable({
  label,
  heading,
  valueHeading,
  currency,
  totals,
  nameOf,
  hrefOf,
}: UsageTableProps) {
  const largest = Math.max(Number.MIN_VALUE, ...totals.map((total) => total.quantity));
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{heading}</Th>
          <Th className="max-phone:hidden">
            <span className="sr-only">Share</span>
          </Th>
          <Th numeric>{valueHeading}</Th>
          <Th numeric>Runs</Th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total) => {
          const href = hrefOf?.(total.name);
          const name = nameOf(total.name);
          return (
            <Tr key={total.name}>
              <Td className="wrap-anywhere">
                {href ? (
                  // Ids are shown unchanged, in mono.
                  <RowLink href={href} className={name === total.name ? "font-mono" : ""}>
                    {name}
                  </RowLink>
                ) : (
                  name
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
                    width={total.quantity > 0 ? Math.max(1, (total.quantity / largest) * 100) : 0}
                    height={6}
                    className="fill-(--accent-fill)"
                  />
                </svg>
              </Td>
              <Td numeric>
                <UsageValue total={total} currency={currency} />
              </Td>
              <Td numeric>{formatNumber(total.requests)}</Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
