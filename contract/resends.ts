import { type Static, Type } from "typebox";
import { closed, ListOf } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { eventTypes, maxRatePerSecond, resendIncludes, resendStatuses } from "./webhook-constants.ts";

/** Sends the events of a period again to one endpoint; `dry_run` only counts them. */
export const ResendCreate = Type.Object(
  {
    since: Timestamp,
    until: Type.Optional(Timestamp),
    types: Type.Optional(Type.Array(Type.Enum(eventTypes), { minItems: 1, uniqueItems: true })),
    include: Type.Optional(
      Type.Enum(resendIncludes, {
        default: "missed",
        description: "`missed`: what the endpoint has not accepted; `all`: what it has accepted as well",
      }),
    ),
    rate_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxRatePerSecond,
        description: "queues no more a second; the endpoint's own rate holds besides",
      }),
    ),
    dry_run: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type ResendCreate = Static<typeof ResendCreate>;

export const Resend = Type.Object({
  id: Nullable(Type.String({ description: "null for `dry_run`" })),
  object: Type.Literal("webhook.resend"),
  endpoint_id: Type.String(),
  status: Nullable(Type.Enum(resendStatuses)),
  since: Timestamp,
  until: Timestamp,
  types: Nullable(Type.Array(Type.String())),
  include: Type.Enum(resendIncludes),
  rate_per_second: Nullable(Type.Integer()),
  total: Type.Integer({ description: "events to send when it began" }),
  queued: Type.Integer({ description: "of those, how many have a new delivery by now" }),
  gone: Type.Integer({ description: "events that cannot be sent again: their payload was removed" }),
  waits_for: Nullable(Type.Enum(["endpoint"], { description: "it continues once its endpoint is enabled" })),
  created_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
});
export type Resend = Static<typeof Resend>;

export const ResendList = ListOf(Resend);
