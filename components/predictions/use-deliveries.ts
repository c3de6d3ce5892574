"use client";

import { useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-words.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { fetchFromGateway } from "@/lib/browser/fetch-from-gateway";
import { callGateway } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { isDeliveryLive } from "@/lib/timeline/delivery-row";

const everyMs = 3_000;
/** An event's deliveries are written with the terminal state, but a first answer may be a moment older. */
const settleMs = 15_000;

/** The deliveries of a prediction's event with their attempts, followed as long as any may change by itself. */
export function useDeliveries(prediction: Prediction) {
  return useQuery({
    queryKey: queryKeys.deliveries({ prediction_id: prediction.id, detail: true }),
    queryFn: ({ signal }) => deliveriesOf(prediction.id, signal),
    enabled: isTerminal(prediction.status),
    refetchInterval: (query) => {
      const endedMs = Date.parse(prediction.completed_at ?? prediction.created_at);
      const settling = Date.now() - endedMs < settleMs;
      return settling || query.state.data?.some(isDeliveryLive) ? everyMs : false;
    },
  });
}

async function deliveriesOf(
  predictionId: string,
  signal: AbortSignal,
): Promise<(Delivery | DeliveryDetail)[]> {
  const listed = await fetchFromGateway<List<Delivery>>("/webhooks/deliveries", {
    query: { prediction_id: predictionId, limit: 20 },
    signal,
  });
  return Promise.all(
    listed.data.map(async (delivery) => {
      // A gateway without this extension lists deliveries but does not show one: its row then stands for it.
      const one = await callGateway<DeliveryDetail>(`/webhooks/deliveries/${delivery.id}`, { signal });
      return one.ok ? one.data : delivery;
    }),
  );
}
