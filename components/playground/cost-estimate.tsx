"use client";

import { useQuery } from "@tanstack/react-query";
import type { CatalogModel } from "#contract/catalog.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { estimateCost, estimateLabel, estimateSource } from "@/lib/schema-form/cost-estimate";
import type { BilledOperation } from "@/lib/schema-form/estimate";
import type { JsonObject } from "@/lib/schema-form/json";
import { budgetLeft } from "@/lib/usage/budget-left";

/**
 * Estimates are cached this long. Prices rarely change, and a run's own price is fixed only when it starts.
 */
const keptMs = 60_000;

interface CostEstimateProps {
  model: Pick<CatalogModel, "id">;
  operation: BilledOperation;
  body: JsonObject;
}

/**
 * The estimated cost of a run, from the rates of the places that may run it. Shows nothing while they are
 * unknown, and to people who cannot run operations.
 */
export function CostEstimate({ model, operation, body }: CostEstimateProps) {
  const t = useWords("amounts");
  const { may } = useAccess();
  const query = { model: model.id, api_type: operation.api_type };
  const { data: price } = useQuery({
    queryKey: ["prices", query],
    queryFn: ({ signal }) => fetchRoute("GET /prices", { query, signal }),
    staleTime: keptMs,
    retry: false,
    enabled: may("operations:run"),
  });
  if (!price) return null;
  const estimate = estimateCost(body, operation, price);
  return (
    <span title={estimateSource(t, estimate, price.currency)}>
      {estimateLabel(t, estimate, price.currency)}
    </span>
  );
}

/** How long the budget is cached, so that not every visit requests it. Runs refresh it. */
const budgetKeptMs = 30_000;

/** The amount that the account can still spend. Shows nothing if it is unlimited or unknown. */
export function AccountBudget() {
  const { data } = useQuery({
    queryKey: queryKeys.accountBudgets(),
    queryFn: ({ signal }) => fetchRoute("GET /account/budgets", { signal }),
    staleTime: budgetKeptMs,
    retry: false,
  });
  const left = data && budgetLeft(data);
  return left && <span className={left.isSpent ? "text-bad" : undefined}>{left.label}</span>;
}
