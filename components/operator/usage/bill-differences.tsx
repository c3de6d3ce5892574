"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { RowControls, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import { formatAmount } from "@/lib/money";
import { type BillDifference, type BillSums, compareBill } from "@/lib/operator/bill/compare-bill";
import { RunsBehind } from "./runs-behind.tsx";

interface BillDifferencesProps {
  sums: BillSums;
  models: ReadonlyMap<string, string>;
  /** Empty: all. */
  provider: string;
}

const shownRows = 200;

/** Their sums and ours by day and model, the largest difference first, with the runs behind ours. */
export function BillDifferences({ sums, models, provider }: BillDifferencesProps) {
  const [opened, setOpened] = useState<BillDifference | null>(null);
  const query = { from: sums.from, to: sums.to, group_by: "day,model", ...(provider && { provider }) };
  const { data, error, refetch } = useQuery({
    queryKey: ["operator", "usage", query],
    queryFn: ({ signal }) => fetchRoute("GET /operator/usage", { query, signal }),
    retry: false,
  });
  const failure = failureBehind(error);
  if (failure) return <ErrorPanel error={failure} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-48 w-full" />;
  const { currency } = data.total.cost;
  const { rows, theirs, ours, difference } = compareBill(sums, data.data, models);
  return (
    <Section
      title="Differences"
      description={`From ${sums.from} to ${sums.to}, in ${currency}. Above zero, the provider billed more than we counted.`}
    >
      {data.has_more && (
        <p role="alert" className="mb-2 text-table text-warn">
          There is too much usage to compare at once. Choose a bill for a shorter period.
        </p>
      )}
      <Table label="Differences">
        <thead>
          <tr>
            <Th>Day (UTC)</Th>
            <Th>Model</Th>
            <Th numeric>Billed</Th>
            <Th numeric>Counted here</Th>
            <Th numeric>Difference</Th>
            <Th>
              <span className="sr-only">Runs</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          <Tr className="font-medium">
            <Td>All days</Td>
            <Td>All models</Td>
            <Amount value={theirs} />
            <Amount value={ours} />
            <Amount value={difference} />
            <Td />
          </Tr>
          {rows.slice(0, shownRows).map((row) => (
            <Tr key={`${row.day} ${row.isOurs} ${row.model}`}>
              <Td className="tabular whitespace-nowrap">{row.day}</Td>
              <Td className="max-w-64 font-mono wrap-anywhere">
                {row.model || "(empty)"}
                {!row.isOurs && <span className="block font-sans text-meta text-muted">not ours</span>}
                {row.notPriced > 0 && (
                  <span className="block font-sans text-meta text-warn">
                    {formatCount(row.notPriced, "run")} not priced
                  </span>
                )}
              </Td>
              <Amount value={row.theirs} />
              <Amount value={row.ours} />
              <Amount value={row.difference} />
              <Td className="text-right">
                {row.isOurs && (
                  <RowControls>
                    <Button size="sm" onClick={() => setOpened(row)}>
                      Runs
                      <span className="sr-only">
                        {" "}
                        of {row.model} on {row.day}
                      </span>
                    </Button>
                  </RowControls>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {rows.length > shownRows && (
        <p className="mt-2 text-meta text-muted">
          The {shownRows} largest differences of {formatCount(rows.length, "row")}.
        </p>
      )}
      {opened && (
        <RunsBehind
          title={`${opened.model} on ${opened.day}`}
          query={{ from: opened.day, to: opened.day, model: opened.model, ...(provider && { provider }) }}
          currency={currency}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

function Amount({ value }: { value: string | null }) {
  return (
    <Td numeric>
      {value === null ? (
        <span className="text-faint">–</span>
      ) : (
        <span title={value} className="whitespace-nowrap">
          {formatAmount(value)}
        </span>
      )}
    </Td>
  );
}
