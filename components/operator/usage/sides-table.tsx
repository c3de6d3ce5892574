"use client";

import type { ReactNode } from "react";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import type { UsageCost } from "#contract/usage.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { formatCount, formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { marginOf, sidesBy } from "@/lib/operator/sides";

interface SidesTableProps {
  label: string;
  heading: string;
  rows: readonly OperatorUsageRow[];
  idOf: (row: OperatorUsageRow) => string;
  /** Absent: the id itself. */
  nameOf?: (row: OperatorUsageRow) => string;
  /** Shows the runs of a row; null: they are not told apart. */
  onOpen: (id: string) => (() => void) | null;
  /** As the rows come, instead of the dearest first. */
  inOrder?: boolean;
}

/** What runs cost the operator beside what the accounts pay for them. */
export function SidesTable({
  label,
  heading,
  rows,
  idOf,
  nameOf = idOf,
  onOpen,
  inOrder = false,
}: SidesTableProps) {
  const totals = sidesBy(rows, idOf);
  const names = new Map(rows.map((row) => [idOf(row), nameOf(row)]));
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>{heading}</Th>
          <Th numeric>Cost</Th>
          <Th numeric>Accounts pay</Th>
          <Th numeric>Margin</Th>
          <Th numeric>Runs</Th>
        </tr>
      </thead>
      <tbody>
        {(inOrder
          ? totals
          : totals.toSorted((one, other) => Number(other.cost.amount ?? 0) - Number(one.cost.amount ?? 0))
        ).map(({ id, cost, charge, requests }) => (
          <Tr key={id}>
            <Td className="max-w-80 wrap-anywhere">
              <Name open={onOpen(id)}>{names.get(id)}</Name>
            </Td>
            <Td numeric label="Cost">
              <Side cost={cost} />
            </Td>
            <Td numeric label="Accounts pay">
              <Side cost={charge} />
            </Td>
            <Td numeric label="Margin">
              <Margin cost={cost} charge={charge} />
            </Td>
            <Td numeric label="Runs">
              {formatNumber(requests)}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Name({ open, children }: { open: (() => void) | null; children: ReactNode }) {
  if (!open) return children;
  return (
    <button
      type="button"
      onClick={open}
      title="Show the runs"
      className="rounded-control text-left font-medium text-ink hover:text-accent"
    >
      {children}
    </button>
  );
}

function Margin({ cost, charge }: { cost: UsageCost; charge: UsageCost }) {
  const margin = marginOf(cost, charge);
  if (!margin) return <span className="text-faint">–</span>;
  return (
    <span title={`${margin.amount} ${cost.currency}`} className="block whitespace-nowrap">
      {formatMoney(margin.amount, cost.currency)}
      {margin.percent !== null && <span className="block text-meta text-muted">{margin.percent} %</span>}
    </span>
  );
}

function Side({ cost: { amount, currency, not_priced: notPriced } }: { cost: UsageCost }) {
  return (
    <>
      {amount !== null && (
        <span title={`${amount} ${currency}`} className="block whitespace-nowrap">
          {formatMoney(amount, currency)}
        </span>
      )}
      {notPriced > 0 && (
        <span className="block text-meta text-warn">{formatCount(notPriced, "run")} not priced</span>
      )}
    </>
  );
}
