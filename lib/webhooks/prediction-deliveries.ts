import type { Counted } from "#contract/counted.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import type { GatewayResult } from "../gateway/result.ts";
import { type StoryReads, withLog } from "./delivery-story.ts";

const maxDeliveries = 20;

export interface PredictionDeliveries {
  newest: (Delivery | DeliveryDetail)[];
  /** Number of deliveries. Null when the gateway did not count them. */
  total: Counted | null;
}

/** The newest deliveries of a prediction's event, each with its attempts if the gateway returns them. */
export async function loadPredictionDeliveries(
  reads: StoryReads,
  predictionId: string,
): Promise<GatewayResult<PredictionDeliveries>> {
  const listed = await reads.list({ prediction_id: predictionId, limit: maxDeliveries, count: true });
  if (!listed.ok) return listed;
  const { data, total = null } = listed.data;
  const newest = await Promise.all(data.map((delivery) => withLog(reads, delivery)));
  return { ok: true, data: { newest, total } };
}
