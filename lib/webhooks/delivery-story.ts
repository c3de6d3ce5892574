import type { Counted, List, PageQuery } from "#contract/list.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { type GatewayResult, localFailure } from "../gateway/result.ts";
import type { FilterText } from "./delivery-view.ts";

/** A delivery with all other deliveries of the same event to the same endpoint. */
export interface DeliveryStory {
  delivery: Delivery;
  /** Oldest first, with their attempts if known. */
  sends: (Delivery | DeliveryDetail)[];
  /** False if the gateway provides no details of attempts. */
  hasLogs: boolean;
}

/** The reads of a story: server functions on the server, fetches in the browser. */
export interface StoryReads {
  one(id: string): Promise<GatewayResult<DeliveryDetail>>;
  list(query: FilterText & PageQuery): Promise<GatewayResult<List<Delivery>>>;
}

/** Attempts are read only for this many deliveries, the newest ones. An older one is shown as a line. */
const maxLogs = 12;

const maxSends = 100;

/**
 * Reads one delivery and its siblings. From a gateway without the route for one delivery, reads only the
 * list. `known` are the deliveries of the last reading; they replace those that cannot be read this time.
 */
export async function loadDeliveryStory(
  reads: StoryReads,
  id: string,
  known: DeliveryStory["sends"] = [],
): Promise<GatewayResult<DeliveryStory>> {
  const one = await reads.one(id);
  if (!one.ok && one.error.code !== "route_not_found") return one;
  const delivery = one.ok ? one : await fromList(reads, id);
  if (!delivery.ok) return delivery;
  const { event_id, endpoint_id } = delivery.data;
  const listed = await reads.list({ event_id, endpoint_id, limit: maxSends });
  const siblings = listed.ok ? listed.data.data : known;
  const others = siblings.filter((send) => send.id !== id);
  const detailed = one.ok
    ? await Promise.all(others.map((send, index) => (index < maxLogs ? withLog(reads, send, known) : send)))
    : others;
  const sends = [...detailed, delivery.data].sort((a, b) => a.id.localeCompare(b.id));
  return { ok: true, data: { delivery: delivery.data, sends, hasLogs: one.ok } };
}

async function fromList(reads: StoryReads, id: string): Promise<GatewayResult<Delivery>> {
  const listed = await reads.list({ id, limit: 1 });
  if (!listed.ok) return listed;
  const delivery = listed.data.data.find((each) => each.id === id);
  if (delivery) return { ok: true, data: delivery };
  return {
    ok: false,
    error: { ...localFailure("delivery_not_found", "Delivery not found."), status: 404 },
  };
}

/**
 * A delivery with its attempts if the gateway provides them. Otherwise as it was `known`, or as in the list.
 */
export async function withLog(
  reads: StoryReads,
  send: Delivery,
  known: DeliveryStory["sends"] = [],
): Promise<Delivery | DeliveryDetail> {
  const answer = await reads.one(send.id);
  return answer.ok ? answer.data : (known.find(({ id }) => id === send.id) ?? send);
}

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
