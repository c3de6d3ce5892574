"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { gatewayQuery, type PredictionFilter } from "../filter.ts";

const busyEveryMs = 2_000;
const quietEveryMs = 5_000;

interface ListOptions {
  filter: PredictionFilter;
  /** What the server found for `initialFilter`. */
  initial: List<Prediction>;
  initialFilter: PredictionFilter;
  live: boolean;
}

/** One page of the filtered list; the newest page stays live unless paused. */
export function usePredictionList({ filter, initial, initialFilter, live }: ListOptions) {
  const newestPage = !filter.after && !filter.before;
  const same = JSON.stringify(filter) === JSON.stringify(initialFilter);
  return useQuery({
    queryKey: queryKeys.predictions({ ...filter }),
    queryFn: ({ signal }) =>
      fetchRoute("GET /predictions", { query: gatewayQuery(filter, Date.now()), signal }),
    ...(same && { initialData: initial }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: live,
    refetchInterval: (query) => {
      if (!live || !newestPage) return false;
      const busy = query.state.data?.data.some((prediction) => !isTerminal(prediction.status));
      return busy ? busyEveryMs : quietEveryMs;
    },
  });
}
