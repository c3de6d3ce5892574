import type { EventTypeList } from "#contract/event-feed.ts";
import { eventTypeTable } from "#contract/event-types.ts";
import { eventTypes } from "#contract/webhook-constants.ts";

/** All types of events, as `contract/event-types.ts` has them. */
export function listEventTypes(): EventTypeList {
  return {
    object: "list",
    data: eventTypes.map((type) => ({ type, ...eventTypeTable[type] })),
  };
}
