import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import type { GatewayResult } from "../gateway/result.ts";
import { type StoryReads, withLog } from "./delivery-story.ts";

const maxDeliveries = 20;

/** The newest deliveries of a prediction's event, each with its attempts if the gateway provides them. */
export async function loadPredictionDeliveries(
  reads: StoryReads,
  predictionId: string,
): Promise<GatewayResult<(Delivery | DeliveryDetail)[]>> {
  const listed = await reads.list({ prediction_id: predictionId, limit: maxDeliveries });
  if (!listed.ok) return listed;
  return { ok: true, data: await Promise.all(listed.data.data.map((delivery) => withLog(reads, delivery))) };
}
