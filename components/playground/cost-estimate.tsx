"use client";

import { useQuery } from "@tanstack/react-query";
import type { CatalogModel } from "#contract/catalog.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { estimateCost } from "@/lib/schema-form/cost-estimate";
import type { BilledOperation } from "@/lib/schema-form/estimate";
import { estimateLabel, estimateSource } from "@/lib/schema-form/estimate-words";
import type { JsonObject } from "@/lib/schema-form/json";

/** Prices are changed rarely, and a run is priced when it begins. */
const keptMs = 60_000;

interface CostEstimateProps {
  model: Pick<CatalogModel, "id">;
  operation: BilledOperation;
  body: JsonObject;
}

/** What a run will cost, from the rates of where it may run; nothing while they are not known. */
export function CostEstimate({ model, operation, body }: CostEstimateProps) {
  const query = { model: model.id, api_type: operation.api_type };
  const { data: price } = useQuery({
    queryKey: ["prices", query],
    queryFn: ({ signal }) => fetchRoute("GET /prices", { query, signal }),
    staleTime: keptMs,
    retry: false,
  });
  if (!price) return null;
  const estimate = estimateCost(body, operation, price);
  return (
    <span title={estimateSource(estimate, price.currency)}>{estimateLabel(estimate, price.currency)}</span>
  );
}
