import type { BulkRetry } from "#contract/webhook.ts";
import { answerOf } from "../browser/action-answer.ts";
import { callRoute } from "../browser/gateway.ts";
import { act } from "../gateway/act.ts";
import type { BulkRetryCalls } from "./bulk-retry.ts";
import type { StoryReads } from "./delivery-story.ts";

/** The calls of a bulk retry from a page. */
export const browserRetryCalls: BulkRetryCalls = {
  // The filter comes from the address. The gateway refuses unknown values.
  retryMany: (body) => callRoute("POST /webhooks/deliveries/retry", { body: body as BulkRetry }),
  retryOne: (id) => answerOf(act("POST /webhooks/deliveries/{id}/retry", { params: { id } })),
  list: (query) => callRoute("GET /webhooks/deliveries", { query }),
};

/** Reads a delivery's history in the browser. */
export const browserStoryReads: StoryReads = {
  one: (id) => callRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => callRoute("GET /webhooks/deliveries", { query }),
};
