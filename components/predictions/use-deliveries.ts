"use client";

import { useQuery } from "@tanstack/react-query";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { orThrow } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { isDeliveryLive } from "@/lib/status/delivery";
import { browserStoryReads } from "@/lib/webhooks/browser-reads";
import { loadPredictionDeliveries } from "@/lib/webhooks/prediction-deliveries";

const everyMs = 3_000;
/** An event's deliveries are written with the terminal state, but a first answer may be a moment older. */
const settleMs = 15_000;

/**
 * The deliveries of a prediction's event with their attempts, refreshed as long as any may still change; `initial`
 * are those that came with the page, or null.
 */
export function useDeliveries(prediction: Prediction, initial: (Delivery | DeliveryDetail)[] | null) {
  return useQuery({
    queryKey: queryKeys.deliveries({ prediction_id: prediction.id, detail: true }),
    queryFn: async () => orThrow(await loadPredictionDeliveries(browserStoryReads, prediction.id)),
    ...(initial && { initialData: initial }),
    enabled: isTerminal(prediction.status),
    refetchInterval: (query) => {
      const endedMs = Date.parse(prediction.completed_at ?? prediction.created_at);
      const settling = Date.now() - endedMs < settleMs;
      return settling || query.state.data?.some(isDeliveryLive) ? everyMs : false;
    },
  });
}
