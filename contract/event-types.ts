import { type Static, type TSchema, Type } from "typebox";
import { roles } from "./accounts/constants.ts";
import { Batch } from "./batches.ts";
import { copyErrorCodes } from "./copy-constants.ts";
import { eventExamples, exampleIds, exampleTime } from "./event-examples.ts";
import { closed, Nullable, Timestamp } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { BudgetThreshold } from "./money/budgets.ts";
import { Prediction } from "./prediction.ts";
import { Response } from "./responses.ts";
import { Delivery } from "./webhook.ts";
import {
  disabledReasons,
  type EventType,
  endpointStatuses,
  eventTypes,
  type NoticeEventType,
} from "./webhook-constants.ts";

interface EventTypeEntry {
  description: string;
  /** JSON Schema of the webhook's body. */
  schema: Record<string, unknown>;
  /** An example body. */
  example: Record<string, unknown>;
}

/** The result of a prediction in its events, which never contain the input. */
const { input: _input, ...predictionFields } = Prediction.properties;

const PredictionObject = Type.Object(predictionFields);

/** An endpoint in an event about it. */
export const EndpointObject = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.endpoint"),
  url: Type.String(),
  description: Nullable(Type.String()),
  status: Type.Enum(endpointStatuses),
  disabled_reason: Nullable(Type.Enum(disabledReasons)),
  consecutive_failures: Type.Integer(),
  failing_since: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
});

const TestObject = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.endpoint"),
  url: Type.String(),
  message: Type.String(),
});

const noticeObject = (type: NoticeEventType, more: Record<string, TSchema>) =>
  Type.Object({ object: Type.Literal(type), ...more });

/**
 * Every event type with its meaning and body. Validation, the console, the docs and the API all read this
 * table.
 */
export const eventTypeTable: Record<EventType, EventTypeEntry> = {
  "prediction.succeeded": entry(
    "prediction.succeeded",
    PredictionObject,
    "A prediction ended with a result.",
  ),
  "prediction.failed": entry("prediction.failed", PredictionObject, "A prediction ended with an error."),
  "prediction.canceled": entry("prediction.canceled", PredictionObject, "A prediction was canceled."),
  "batch.finished": entry(
    "batch.finished",
    Batch,
    "All rows of a batch have ended, or somebody stopped the rest.",
  ),
  "response.completed": entry("response.completed", Response, "A response in the background is complete."),
  "response.incomplete": entry(
    "response.incomplete",
    Response,
    "A response in the background ended before it was complete.",
  ),
  "response.failed": entry("response.failed", Response, "A response in the background failed."),
  "response.cancelled": entry("response.cancelled", Response, "A response in the background was canceled."),
  "outputs.expiring": entry(
    "outputs.expiring",
    noticeObject("outputs.expiring", {
      user_id: Nullable(
        Type.String({ description: "id of the member who ran the predictions; null: service keys ran them" }),
      ),
      predictions: Type.Integer({ description: "number of predictions whose outputs will soon be removed" }),
      from: Timestamp,
      until: Timestamp,
    }),
    "Outputs will be removed within the next two hours. One event for each person, an hour before the first removal.",
  ),
  "attestation.withdrawn": entry(
    "attestation.withdrawn",
    noticeObject("attestation.withdrawn", {
      id: Type.String(),
      kind: Type.String(),
      name: Type.String({ description: "who withdrew the attestation" }),
    }),
    "An attestation was withdrawn: the people and keys that it covered can no longer run its models.",
  ),
  "key.expiring": entry(
    "key.expiring",
    noticeObject("key.expiring", {
      id: Type.String(),
      user_id: Nullable(
        Type.String({
          description: "id of the member whose personal key expires; null: it is a service key",
        }),
      ),
      name: Type.String(),
      hint: Type.String(),
      expires_at: Timestamp,
    }),
    "A key expires in a week, and again in a day.",
  ),
  "member.joined": entry(
    "member.joined",
    noticeObject("member.joined", {
      id: Type.String({ description: "id of the new member" }),
      name: Type.String(),
      role: Type.Enum(roles),
    }),
    "Somebody joined the account.",
  ),
  "copy.exhausted": entry(
    "copy.exhausted",
    noticeObject("copy.exhausted", {
      id: Type.String({ description: "id name of the destination" }),
      name: Type.String({ description: "name of the destination" }),
      copy_id: Type.String(),
      output_id: Type.String(),
      error: Type.Enum(copyErrorCodes),
      message: Type.String({ description: "the problem and how to fix it" }),
    }),
    "A file was not copied to a destination: all attempts failed, or a further attempt cannot succeed.",
  ),
  "endpoint.failing": entry(
    "endpoint.failing",
    EndpointObject,
    "Another endpoint of the account failed four times in a row.",
  ),
  "endpoint.disabled": entry(
    "endpoint.disabled",
    EndpointObject,
    "Another endpoint was disabled: by a person, after days of failures, or because its receiver requested it.",
  ),
  "endpoint.recovered": entry(
    "endpoint.recovered",
    EndpointObject,
    "Another endpoint that failed or was disabled has accepted an event again.",
  ),
  "delivery.exhausted": entry(
    "delivery.exhausted",
    Delivery,
    "A delivery to another endpoint failed for good: all attempts failed, or its payload was removed first.",
  ),
  "budget.threshold": entry(
    "budget.threshold",
    BudgetThreshold,
    "A budget in money reaches 50, 80 or 100 percent. One event per threshold and period.",
  ),
  "endpoint.test": entry("endpoint.test", TestObject, "A test event that somebody sent to one endpoint."),
};

function entry(type: EventType, object: TSchema, description: string): EventTypeEntry {
  const schema = Type.Object({
    id: Type.String({
      description:
        "id of the event, the same in each delivery of it: skip an event that you have already handled",
    }),
    object: Type.Literal("event"),
    type: Type.Literal(type),
    api_version: Type.Literal("v1"),
    created: Timestamp,
    account: Type.String(),
    data: Type.Object({ object }),
  });
  return {
    description,
    // The schema as clients get it, without the schema library's additions.
    schema: JSON.parse(JSON.stringify(schema)) as Record<string, unknown>,
    example: {
      id: exampleIds.event,
      object: "event",
      type,
      api_version: "v1",
      created: exampleTime,
      account: exampleIds.account,
      data: { object: eventExamples[type] },
    },
  };
}

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
