"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useWords } from "#words";
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
  const t = useWords("operatorUsage");
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
      description={t("usageAndCostOfEach")}
      footer={<Button onClick={onClose}>{t("close")}</Button>}
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {!lines && !failure && <Skeleton className="h-40 w-full" />}
      {lines && lines.length === 0 && (
        <p>{hasNextPage ? t("thereAreNoSuchLines") : t("thereWereNoRunsOr")}</p>
      )}
      {lines && lines.length > 0 && (
        <Table label={t("linesOfRuns")}>
          <thead>
            <tr>
              <Th>{t("run")}</Th>
              <Th>{t("what")}</Th>
              <Th numeric>{t("quantity")}</Th>
              <Th numeric>{t("costCurrency", { currency })}</Th>
              <Th numeric>{t("accountsPayCurrency", { currency })}</Th>
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
                      <span className="text-muted">{t("notPriced")}</span>
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
          {t("showMore")}
        </Button>
      )}
    </Dialog>
  );
}
