"use client";

import { useQuery } from "@tanstack/react-query";
import type { Cost, CostLine } from "#contract/money/cost.ts";
import { useWords } from "#words";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Money } from "@/components/ui/money";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import { conditionLabel, countedKind, perLabel } from "@/lib/rate-labels";

interface RunCostSectionProps {
  runId: string;
  /** Null for a run of an earlier release. */
  cost: Cost | null;
}

/** How the cost of a run was calculated, and for a run of an earlier release, the cost. Nothing without lines. */
export function RunCostSection({ runId, cost }: RunCostSectionProps) {
  const t = useWords("predictions");
  const { data, error, refetch } = useQuery({
    queryKey: ["run-cost", runId],
    queryFn: ({ signal }) => fetchRoute("GET /runs/{id}/cost", { params: { id: runId }, signal }),
    // A run that used nothing has no lines to read.
    enabled: cost?.reason !== "nothing_billed",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = failureBehind(error);
  const isUnavailable = found?.code === "run_not_found" || found?.code === "insufficient_scope";
  const failure = isUnavailable ? null : found;
  const shown = cost ? null : data;
  if (!shown && !failure && !data?.lines.length) return null;
  return (
    <Section
      title={t("cost")}
      className="mt-6"
      description={shown && <Money amount={shown.amount} currency={shown.currency} reason={shown.reason} />}
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {data && data.lines.length > 0 && (
        <details>
          <summary className="w-fit rounded-control text-table text-muted">{t("howItWasCalculated")}</summary>
          <div className="mt-2">
            <CostLines lines={data.lines} currency={data.currency} />
            <p className="mt-2 text-meta text-muted">{t("calculatedWithThePricesAt")}</p>
          </div>
        </details>
      )}
    </Section>
  );
}

function CostLines({ lines, currency }: { lines: readonly CostLine[]; currency: string }) {
  const t = useWords("predictions");
  const amounts = useWords("amounts");
  return (
    <Table label={t("howTheCostWasCalculated")}>
      <thead>
        <tr>
          <Th>{t("what")}</Th>
          <Th numeric>{t("quantity")}</Th>
          <Th>{t("rate")}</Th>
          <Th numeric>{t("amountCurrency", { currency })}</Th>
          <Th className="max-tablet:hidden">{t("price")}</Th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Tr key={`${line.kind}:${line.about}`}>
            <Td>
              <span className="first-letter:uppercase">{countedKind(amounts, line.kind)}</span>
              {line.about && <span className="block text-meta text-muted">{line.about}</span>}
            </Td>
            <Td numeric>{formatNumber(line.quantity)}</Td>
            <Td className="tabular">
              {line.rate === null || line.per === null ? (
                <span className="text-muted">{t("none")}</span>
              ) : (
                `${line.rate} ${perLabel(amounts, { kind: line.kind, per: line.per })}`
              )}
              {line.when && (
                <span className="block text-meta text-muted">{conditionLabel(amounts, line.when)}</span>
              )}
            </Td>
            <Td numeric>{line.amount ?? <span className="text-muted">{t("notPriced")}</span>}</Td>
            <Td className="max-tablet:hidden">{line.price_id && <IdChip id={line.price_id} />}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
