import type { BulkRetry } from "#contract/webhook.ts";
import { answerOf } from "../browser/action-answer.ts";
import { callRoute } from "../browser/gateway.ts";
import { retryFailedDelivery } from "./actions.ts";
import type { BulkRetryCalls } from "./bulk-run.ts";
import type { StoryReads } from "./delivery-story.ts";

/** The calls of a bulk retry from a page. */
export const browserRetryCalls: BulkRetryCalls = {
  // A filter is an address's text: the gateway refuses what it does not know.
  retryMany: (body) => callRoute("POST /webhooks/deliveries/retry", { body: body as BulkRetry }),
  retryOne: (id) => answerOf(retryFailedDelivery(id)),
  list: (query) => callRoute("GET /webhooks/deliveries", { query }),
};

/** A delivery's history, read from a page. */
export const browserStoryReads: StoryReads = {
  one: (id) => callRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => callRoute("GET /webhooks/deliveries", { query }),
};
