"use client";

import { useQuery } from "@tanstack/react-query";
import { RowSteps } from "@/components/ui/row-steps";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { emptyFilter, filterSearch, gatewayQuery, type PredictionFilter } from "./filter.ts";
import { predictionHref } from "./links.ts";

/** Newer and older prediction of the list that the visitor came from. */
export function Neighbours({ id, filter }: { id: string; filter: PredictionFilter }) {
  const search = filterSearch(filter);
  const newer = useNeighbour(id, filter, "before");
  const older = useNeighbour(id, filter, "after");
  return (
    <RowSteps
      noun="prediction"
      list={`/predictions${search}`}
      newer={newer && predictionHref(newer, search)}
      older={older && predictionHref(older, search)}
    />
  );
}

/** The id next to this one in the filtered list; null at its end and where the gateway cannot list. */
function useNeighbour(id: string, filter: PredictionFilter, side: "before" | "after"): string | null {
  const place: PredictionFilter = { ...emptyFilter, ...filter, after: null, before: null, [side]: id };
  const { data } = useQuery({
    queryKey: queryKeys.predictions({ neighbour: side, ...place }),
    queryFn: async ({ signal }) => {
      const query = { ...gatewayQuery(place, Date.now()), limit: 1 };
      const answer = await callRoute("GET /predictions", { query, signal });
      return answer.ok ? (answer.data.data[0]?.id ?? null) : null;
    },
    staleTime: 60_000,
  });
  return data ?? null;
}
