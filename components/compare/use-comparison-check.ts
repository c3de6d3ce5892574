"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { BatchFault } from "#contract/batches.ts";
import type { ApiType } from "#contract/catalog.ts";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { JsonObject } from "@/lib/schema-form/json";

const fewest = 2;

/** What the gateway finds in the input for each model; nothing runs. */
export function useComparisonCheck(model: string, apiType: ApiType, rows: readonly JsonObject[]) {
  const models = rows.map((row) => String(row.model));
  const query = useQuery({
    // The input of a page stays the same: only the models change.
    queryKey: ["batches", "comparison", model, apiType, ...models],
    queryFn: async ({ signal }) => ({
      models,
      check: await fetchRoute("POST /batches/check", {
        body: { model: models[0] ?? model, api_type: apiType, rows },
        signal,
      }),
    }),
    enabled: rows.length >= fewest,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { data } = query;
  return {
    failure: failureBehind(query.error),
    isCurrent: query.isSuccess && !query.isPlaceholderData,
    faultsOf(id: string): BatchFault[] {
      const row = (data?.models.indexOf(id) ?? -1) + 1;
      return row === 0 ? [] : (data?.check.faults.filter((fault) => fault.row === row) ?? []);
    },
  };
}
