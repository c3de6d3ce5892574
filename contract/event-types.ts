import { type TSchema, Type } from "typebox";
import { roles } from "./accounts/roles.ts";
import { Batch } from "./batches.ts";
import { copyErrorCodes } from "./copy-constants.ts";
import { eventExamples, exampleIds, exampleTime } from "./event-examples.ts";
import { BudgetThreshold } from "./money/budgets.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { Prediction } from "./prediction.ts";
import { Response } from "./responses.ts";
import { Delivery } from "./webhook.ts";
import {
  disabledReasons,
  type EventType,
  endpointStatuses,
  type NoticeEventType,
} from "./webhook-constants.ts";

interface EventTypeEntry {
  description: string;
  /** JSON Schema of the webhook's body. */
  schema: Record<string, unknown>;
  /** An example body. */
  example: Record<string, unknown>;
}

/** Events contain the result of a prediction, not its input. */
const { input: _input, ...predictionFields } = Prediction.properties;
const PredictionObject = Type.Object(predictionFields);

/** An endpoint, as in events. */
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
 * Every event type with its meaning and body. Validation, the console, the docs and the API use this table.
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
    "All rows of a batch have ended, or the rest was stopped.",
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
      user_id: Nullable(Type.String({ description: "whose predictions they are; null: of service keys" })),
      predictions: Type.Integer({ description: "how many of them have outputs that are removed soon" }),
      from: Timestamp,
      until: Timestamp,
    }),
    "Outputs are removed within the next two hours: told an hour before the first, together for each person.",
  ),
  "attestation.withdrawn": entry(
    "attestation.withdrawn",
    noticeObject("attestation.withdrawn", {
      id: Type.String(),
      kind: Type.String(),
      name: Type.String({ description: "who withdrew it" }),
    }),
    "An attestation was withdrawn: models that need it stop running for those it covered.",
  ),
  "key.expiring": entry(
    "key.expiring",
    noticeObject("key.expiring", {
      id: Type.String(),
      user_id: Nullable(Type.String({ description: "whose personal key it is; null: a service key" })),
      name: Type.String(),
      hint: Type.String(),
      expires_at: Timestamp,
    }),
    "A key expires in a week, and again in a day.",
  ),
  "member.joined": entry(
    "member.joined",
    noticeObject("member.joined", {
      id: Type.String({ description: "the user" }),
      name: Type.String(),
      role: Type.Enum(roles),
    }),
    "Somebody joined the account.",
  ),
  "copy.exhausted": entry(
    "copy.exhausted",
    noticeObject("copy.exhausted", {
      id: Type.String({ description: "the destination" }),
      name: Type.String({ description: "of the destination" }),
      copy_id: Type.String(),
      output_id: Type.String(),
      error: Type.Enum(copyErrorCodes),
      message: Type.String({ description: "what went wrong, and what to do about it" }),
    }),
    "A file was not copied to a destination: all attempts failed, or another one would not help.",
  ),
  "endpoint.failing": entry(
    "endpoint.failing",
    EndpointObject,
    "Another endpoint of the account failed four times in a row.",
  ),
  "endpoint.disabled": entry(
    "endpoint.disabled",
    EndpointObject,
    "Another endpoint was disabled: by a person, after days of failures, or because its receiver asked for it.",
  ),
  "endpoint.recovered": entry(
    "endpoint.recovered",
    EndpointObject,
    "Another endpoint that failed or was disabled has accepted an event again.",
  ),
  "delivery.exhausted": entry(
    "delivery.exhausted",
    Delivery,
    "A delivery to another endpoint was given up: all attempts failed, or its payload was removed first.",
  ),
  "budget.threshold": entry(
    "budget.threshold",
    BudgetThreshold,
    "Of a budget in money 50, 80 or 100 percent are spent; told once for each period.",
  ),
  "endpoint.test": entry("endpoint.test", TestObject, "A test, sent by hand to one endpoint."),
};

function entry(type: EventType, object: TSchema, description: string): EventTypeEntry {
  const schema = Type.Object({
    id: Type.String({
      description: "the same in each delivery of this event: skip one that you have handled",
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
    // As sent, without the library's additions.
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
