import { type Static, Type } from "typebox";
import { Counted, Nullable, Timestamp } from "./list.ts";
import { predictionStatuses } from "./prediction-constants.ts";
import { deliveryStatuses } from "./webhook-constants.ts";

export const FirstSteps = Type.Object(
  {
    ran_model: Type.Boolean(),
    created_key: Type.Boolean(),
    used_key: Type.Boolean(),
    added_endpoint: Type.Boolean(),
    received_event: Type.Boolean({ description: "an endpoint accepted a delivery" }),
  },
  { description: "Steps that the account has done at least once; null for a key" },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const Summary = Type.Object({
  object: Type.Literal("summary"),
  since: Type.String({ ...Timestamp, description: "24 hours ago: rows created since then are counted" }),
  predictions: Nullable(
    Type.Record(Type.Enum(predictionStatuses), Counted, {
      description: "predictions by status; null for a key without the scope `predictions`",
    }),
  ),
  deliveries: Nullable(
    Type.Record(Type.Enum(deliveryStatuses), Counted, {
      description:
        "deliveries by status, without those that somebody retried; null for a key without the scope `webhooks`",
    }),
  ),
  first_steps: Nullable(FirstSteps),
});
export type Summary = Static<typeof Summary>;
