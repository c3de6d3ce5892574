import type { List } from "#contract/list.ts";
import type { BulkRetryResult, Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { callGateway } from "../browser/gateway.ts";
import { settled } from "../browser/settled.ts";
import { resendDelivery } from "./actions.ts";
import type { BulkRetryDoor } from "./bulk-run.ts";
import type { StoryDoor } from "./delivery-story.ts";

/** The calls of a bulk retry from a page. */
export const browserRetryDoor: BulkRetryDoor = {
  retryMany: (body) => callGateway<BulkRetryResult>("/webhooks/deliveries/retry", { method: "POST", body }),
  retryOne: (id) => settled(resendDelivery(id)),
  list: (query) => callGateway<List<Delivery>>("/webhooks/deliveries", { query }),
};

/** A delivery's history, read from a page. */
export const browserStoryDoor: StoryDoor = {
  one: (id) => callGateway<DeliveryDetail>(`/webhooks/deliveries/${encodeURIComponent(id)}`),
  list: (query) => callGateway<List<Delivery>>("/webhooks/deliveries", { query }),
};
