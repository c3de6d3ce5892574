import { type Static, Type } from "typebox";
import { closed, ListOf, Nullable, Timestamp } from "./list.ts";
import { endpointRate, eventTypes, resendIncludes, resendStatuses } from "./webhook-constants.ts";

/** Sends the events of a period to one endpoint again. `dry_run` only counts them. */
export const ResendCreate = Type.Object(
  {
    since: Timestamp,
    until: Type.Optional(Timestamp),
    types: Type.Optional(Type.Array(Type.Enum(eventTypes), { minItems: 1, uniqueItems: true })),
    include: Type.Optional(
      Type.Enum(resendIncludes, {
        default: "missed",
        description:
          "`missed`: only events that the endpoint has not accepted; `all`: also those that it has accepted",
      }),
    ),
    rate_per_second: Type.Optional(
      Type.Integer({
        ...endpointRate,
        description: "most deliveries queued per second; the endpoint's own rate limit applies as well",
      }),
    ),
    dry_run: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type ResendCreate = Static<typeof ResendCreate>;

export const Resend = Type.Object({
  id: Nullable(Type.String({ description: "id of the resend; null for `dry_run`" })),
  object: Type.Literal("webhook.resend"),
  endpoint_id: Type.String(),
  status: Nullable(Type.Enum(resendStatuses)),
  since: Timestamp,
  until: Timestamp,
  types: Nullable(Type.Array(Type.String())),
  include: Type.Enum(resendIncludes),
  rate_per_second: Nullable(Type.Integer()),
  total: Type.Integer({ description: "number of events to send, counted at the start" }),
  queued: Type.Integer({ description: "number of these events that have a new delivery so far" }),
  gone: Type.Integer({
    description: "number of events that cannot be sent again because their payload was removed",
  }),
  waits_for: Nullable(
    Type.Enum(["endpoint"], {
      description:
        "true while the endpoint is paused or disabled; the resend continues when the endpoint is enabled",
    }),
  ),
  created_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
});
export type Resend = Static<typeof Resend>;

export const ResendList = ListOf(Resend);
