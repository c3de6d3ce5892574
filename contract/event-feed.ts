import { type Static, Type } from "typebox";
import { closed } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { eventTypes } from "./webhook-constants.ts";

const EventBody = {
  id: Type.String(),
  object: Type.Literal("event"),
  type: Type.String(),
  api_version: Type.Literal("v1"),
  created: Timestamp,
  account: Type.String(),
};

/** An event in `GET /events`. It equals the webhook's body, without the data once that was removed. */
export const FeedEvent = Type.Object({
  ...EventBody,
  data: Nullable(Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) })),
});
export type FeedEvent = Static<typeof FeedEvent>;

export const EventFeed = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(FeedEvent),
  has_more: Type.Boolean({ description: "true when more events exist: request the next page at once" }),
  cursor: Type.String({ description: "send this value as `after` next time, even if the page is empty" }),
});
export type EventFeed = Static<typeof EventFeed>;

export const EventFeedQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          "the `cursor` of the previous answer, or the id of an event. By default the list starts with the oldest stored event",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.default }),
    ),
    type: Type.Optional(Type.Enum(eventTypes)),
  },
  closed,
);
export type EventFeedQuery = Static<typeof EventFeedQuery>;

export const EventTypeList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(
    Type.Object({
      type: Type.Enum(eventTypes),
      description: Type.String(),
      schema: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the body" }),
      example: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type EventTypeList = Static<typeof EventTypeList>;
