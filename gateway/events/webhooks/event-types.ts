import type { EventTypeList } from "#contract/event-feed.ts";
import { eventTypeTable } from "#contract/event-types.ts";
import { eventTypes } from "#contract/webhook-constants.ts";

/** All event types, from `contract/event-types.ts`. */
export function listEventTypes(): EventTypeList {
  return {
    object: "list",
    data: eventTypes.map((type) => ({ type, ...eventTypeTable[type] })),
  };
}
