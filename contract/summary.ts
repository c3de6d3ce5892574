import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "./nullable.ts";
import { predictionStatuses } from "./prediction-constants.ts";
import { deliveryStatuses } from "./webhook-constants.ts";

/** A status is counted exactly up to this many rows. */
export const maxCounted = 10_000;

export const StatusCount = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxCounted }),
  more: Type.Boolean({ description: `there are more than ${maxCounted}: at least \`count\`` }),
});
export type StatusCount = Static<typeof StatusCount>;

export const FirstSteps = Type.Object(
  {
    ran_model: Type.Boolean(),
    created_key: Type.Boolean(),
    used_key: Type.Boolean(),
    added_endpoint: Type.Boolean(),
    received_event: Type.Boolean({ description: "an endpoint accepted a delivery" }),
  },
  { description: "What the account has done at least once; null for a key" },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const Summary = Type.Object({
  object: Type.Literal("summary"),
  since: Type.String({ ...Timestamp, description: "24 hours ago: what was created since then is counted" }),
  predictions: Nullable(
    Type.Record(Type.Enum(predictionStatuses), StatusCount, {
      description: "null for a key without the scope `predictions`",
    }),
  ),
  deliveries: Nullable(
    Type.Record(Type.Enum(deliveryStatuses), StatusCount, {
      description: "without those that were retried manually; null for a key without the scope `webhooks`",
    }),
  ),
  first_steps: Nullable(FirstSteps),
});
export type Summary = Static<typeof Summary>;
