"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { formatAmount } from "@/lib/money";

interface RunsBehindProps {
  title: string;
  /** Selects the lines to show. The names are those of the gateway's filters. */
  query: Readonly<Record<"from" | "to", string> & Partial<Record<LineFilter, string>>>;
  currency: string;
  onClose: () => void;
}

type LineFilter = "account_id" | "key_id" | "user_id" | "model" | "provider";

/** The stored lines of the runs behind a sum. */
export function RunsBehind({ title, query, currency, onClose }: RunsBehindProps) {
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ["operator", "usage", "lines", query],
    queryFn: ({ signal, pageParam }) =>
      fetchRoute("GET /operator/usage/lines", { query: { ...query, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after: next }) => next ?? undefined,
    retry: false,
  });
  const failure = failureBehind(error);
  const lines = data?.pages.flatMap((page) => page.data);
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title={title}
      description="Usage and cost of each run. The lines are removed with the history, but the sums stay."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {!lines && !failure && <Skeleton className="h-40 w-full" />}
      {lines && lines.length === 0 && (
        <p>
          {hasNextPage
            ? "There are no such lines in the runs loaded so far. Show more to continue."
            : "There were no runs, or they are no longer stored."}
        </p>
      )}
      {lines && lines.length > 0 && (
        <Table label="Lines of runs">
          <thead>
            <tr>
              <Th>Run</Th>
              <Th>What</Th>
              <Th numeric>Quantity</Th>
              <Th numeric>Cost ({currency})</Th>
              <Th numeric>Accounts pay ({currency})</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Tr key={`${line.run_id} ${line.kind}`}>
                <Td>
                  <IdChip id={line.run_id} />
                </Td>
                <Td className="font-mono text-meta wrap-anywhere">{line.kind}</Td>
                <Td numeric>{formatNumber(line.quantity)}</Td>
                {[line.cost, line.charge].map((amount, at) => (
                  <Td key={at === 0 ? "cost" : "charge"} numeric>
                    {amount === null ? (
                      <span className="text-muted">Not priced</span>
                    ) : (
                      <span title={amount}>{formatAmount(amount)}</span>
                    )}
                  </Td>
                ))}
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {hasNextPage && (
        <Button className="mt-3" busy={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Dialog>
  );
}
