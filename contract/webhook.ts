import { type Static, Type } from "typebox";
import { Gated } from "./attestations.ts";
import { closed, createdFilter, ListOf, Nullable, PageQuery, SearchedPageQuery, Timestamp } from "./list.ts";
import { MetadataFilter } from "./metadata.ts";
import {
  deliveryErrorCodes,
  deliveryStatuses,
  deliveryTriggers,
  endpointConditions,
  endpointFields,
  endpointRate,
  eventTypes,
  failuresUntilReported,
  maxFilterNames,
  ownHeaderLimits,
  subscribableEventTypes,
} from "./webhook-constants.ts";

export * from "./webhook-constants.ts";

export const EndpointHealth = Type.Object({
  deliveries_24h: Type.Integer(),
  success_rate_24h: Nullable(
    Type.Number({ description: "share of successful attempts in the last 24 hours, 0 to 1" }),
  ),
  consecutive_failures: Type.Integer(),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
  hourly: Type.Array(Type.Object({ at: Timestamp, delivered: Type.Integer(), failed: Type.Integer() })),
});

export type EndpointHealth = Static<typeof EndpointHealth>;

/** A warning about a newly set URL. The URL is saved anyway, because every delivery checks it again. */
const EndpointWarning = Type.Object({
  code: Type.Literal("would_not_be_delivered"),
  message: Type.String(),
});

const waitingActions = Type.Enum(["send", "drop"]);

/** In the answer to enabling an endpoint: how many waiting deliveries were sent or dropped. */
const ResumedDeliveries = Type.Object({ action: waitingActions, deliveries: Type.Integer() });

export const Endpoint = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.endpoint"),
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String()),
  status: Type.String(),
  disabled_reason: Nullable(Type.String()),
  headers: Type.Array(Type.Object({ name: Type.String() }), {
    description: "names of the endpoint's own headers; their values are never shown",
  }),
  rate_per_second: Nullable(Type.Integer()),
  models: Nullable(Type.Array(Type.String())),
  keys: Nullable(Type.Array(Type.String())),
  secret_hint: Type.String({ description: "last four characters of the current secret" }),
  previous_secret_expires_at: Nullable(Timestamp),
  previous_secrets: Type.Array(Type.Object({ hint: Type.String(), expires_at: Timestamp }), {
    description: "earlier secrets that still sign together with the current one, the latest first",
  }),
  public_keys: Type.Array(
    Type.Object({
      key: Type.String({
        description: "`whpk_` followed by the 32 bytes of an Ed25519 public key in base64",
      }),
      expires_at: Nullable(
        Type.String({ format: "date-time", description: "time until which a replaced key also signs" }),
      ),
    }),
    {
      description:
        "public keys that verify the `v1a` signatures of the endpoint's deliveries, the current one first; empty: deliveries have none",
    },
  ),
  health: Type.Optional(EndpointHealth),
  waiting_deliveries: Type.Optional(
    Type.Integer({
      description:
        "number of deliveries that wait until the endpoint is enabled; for an enabled endpoint, number of due deliveries that wait for its rate limit",
    }),
  ),
  resumed: Type.Optional(ResumedDeliveries),
  warning: Type.Optional(EndpointWarning),
  created_at: Timestamp,
});

export type Endpoint = Static<typeof Endpoint>;

/** The answer to creating an endpoint or rotating its secret. No other answer contains `secret`. */
export const EndpointWithSecret = Type.Interface([Endpoint], { secret: Type.String() });

export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

/** Most secrets of an endpoint that sign at the same time, including the current one. */
export const maxLiveSecrets = 5;

const SubscribedEvents = Type.Array(Type.Enum(subscribableEventTypes), {
  minItems: 1,
  maxItems: subscribableEventTypes.length,
  uniqueItems: true,
});

const endpointFilters = {
  models: filterOf("ids of models: only their events are sent; null: events of all models"),
  keys: filterOf("ids of keys: only events of their runs are sent; null: events of all keys"),
};

const rateOfEndpoint = Type.Optional(
  Nullable(
    Type.Integer({
      ...endpointRate,
      description: "most requests per second, including retries; further deliveries wait in the queue",
    }),
  ),
);

const signsToo = Type.Optional(
  Type.Boolean({
    description:
      "true: deliveries are also signed with the endpoint's Ed25519 key pair (`v1a`), which receivers verify with a public key; false removes the pair",
  }),
);

const OwnHeaders = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: ownHeaderLimits.nameLength }),
      value: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: ownHeaderLimits.valueLength,
          description: "value of the header, never shown again; a change without it keeps the current value",
        }),
      ),
    },
    closed,
  ),
  {
    maxItems: ownHeaderLimits.count,
    description: "headers sent with every delivery, in addition to the gateway's",
  },
);

export const EndpointCreate = Type.Object(
  {
    url: Type.String(endpointFields.url),
    description: Type.Optional(Type.String(endpointFields.description)),
    events: Type.Optional(SubscribedEvents),
    headers: Type.Optional(OwnHeaders),
    rate_per_second: rateOfEndpoint,
    ed25519: signsToo,
    ...endpointFilters,
  },
  closed,
);

function filterOf(description: string) {
  const names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: maxFilterNames,
    uniqueItems: true,
    description,
  });
  return Type.Optional(Nullable(names));
}

export type EndpointCreate = Static<typeof EndpointCreate>;

export const EndpointUpdate = Type.Object(
  {
    url: Type.Optional(Type.String(endpointFields.url)),
    description: Type.Optional(Nullable(Type.String(endpointFields.description))),
    events: Type.Optional(SubscribedEvents),
    /** The complete list: headers that it does not contain are removed. */
    headers: Type.Optional(OwnHeaders),
    rate_per_second: rateOfEndpoint,
    ed25519: signsToo,
    ...endpointFilters,
    status: Type.Optional(Type.Enum(["enabled", "paused", "disabled"])),
    /** Only with `status: "enabled"`: whether to send the waiting deliveries (the default) or drop them. */
    waiting: Type.Optional(waitingActions),
  },
  closed,
);

export type EndpointUpdate = Static<typeof EndpointUpdate>;

export const RotateSecret = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: "how long the replaced secret continues to sign; 0: all earlier secrets stop at once",
      }),
    ),
  },
  closed,
);

export type RotateSecret = Static<typeof RotateSecret>;

/** The secret that signs an account's callbacks. */
export const CallbackSecret = Type.Object({ key: Type.String() });

export type CallbackSecret = Static<typeof CallbackSecret>;

export const EndpointQuery = Type.Interface(
  [SearchedPageQuery],
  {
    status: Type.Optional(
      Type.Enum(endpointConditions, {
        description: `a status, or \`failing\`: only enabled endpoints with ${failuresUntilReported} or more failures in a row`,
      }),
    ),
    sort: Type.Optional(
      Type.Enum(["newest", "failures"], {
        default: "newest",
        description: "`failures`: the endpoints with the most failures in a row first",
      }),
    ),
  },
  closed,
);

export type EndpointQuery = Static<typeof EndpointQuery>;

export const EndpointList = ListOf(Endpoint);

const Timings = Type.Object({
  dns: Nullable(Type.Number()),
  connect: Nullable(Type.Number()),
  tls: Nullable(Type.Number()),
  ttfb: Nullable(Type.Number()),
  total: Type.Number(),
});

export const Attempt = Type.Object({
  id: Type.String(),
  number: Type.Integer(),
  started_at: Timestamp,
  duration_ms: Nullable(Type.Number()),
  url: Type.String(),
  remote_ip: Nullable(Type.String()),
  request_headers: Nullable(
    Type.Record(Type.String(), Type.String(), {
      description: "time at which the request was sent; null when nothing was sent, or when that is unknown",
    }),
  ),
  request_body: Nullable(Type.String()),
  response_status: Nullable(Type.Integer()),
  response_headers: Nullable(Type.Record(Type.String(), Type.String())),
  response_body: Nullable(Type.String()),
  response_body_truncated: Type.Boolean(),
  error_code: Nullable(Type.String()),
  error_detail: Nullable(Type.String()),
  timings: Type.Partial(Timings),
});

export type Attempt = Static<typeof Attempt>;

export const Delivery = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.delivery"),
  event_id: Type.String(),
  event_type: Type.String(),
  endpoint_id: Type.String(),
  endpoint_description: Nullable(Type.String()),
  url: Type.String(),
  callback: Type.Boolean({
    description: "true when the request named this receiver; then the query of `url` is not shown",
  }),
  prediction_id: Nullable(Type.String()),
  status: Type.String(),
  trigger: Type.Enum(deliveryTriggers),
  attempts: Type.Integer(),
  max_attempts: Type.Integer(),
  last_error: Nullable(Type.String({ description: "error code of the last attempt" })),
  last_status_code: Nullable(
    Type.Integer({ description: "HTTP status of the last attempt; null without a complete answer" }),
  ),
  next_attempt_at: Nullable(Timestamp),
  waits_for: Nullable(
    Type.Enum(["endpoint", "rate"], {
      description:
        "`endpoint`: waits until the endpoint is enabled; `rate`: due, but waits for the endpoint's rate limit",
    }),
  ),
  created_at: Timestamp,
  delivered_at: Nullable(Timestamp),
  retry_of: Nullable(Type.String()),
  retried_as: Nullable(Type.String()),
  notes: Type.Optional(Type.Integer({ description: "number of notes; only in lists" })),
});

export type Delivery = Static<typeof Delivery>;

/** When `gated` names an attestation, `attempt_log` contains neither bodies nor the receiver's headers. */
export const DeliveryDetail = Type.Interface([Delivery], { gated: Gated, attempt_log: Type.Array(Attempt) });

export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const DeliveryList = ListOf(Delivery);

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

const deliveryFilter = {
  id: Type.Optional(Type.String()),
  event_id: Type.Optional(Type.String()),
  endpoint_id: Type.Optional(Type.String()),
  prediction_id: Type.Optional(Type.String()),
  metadata: Type.Optional(
    Type.String({
      ...MetadataFilter,
      description: "`key=value`: only deliveries of predictions with this pair in their metadata",
    }),
  ),
  status: Type.Optional(Type.Enum(deliveryStatuses)),
  retried: Type.Optional(
    Type.Boolean({
      description:
        "`true`: only deliveries that somebody has sent again since; `false`: only those that nobody has",
    }),
  ),
  event_type: Type.Optional(Type.Enum(eventTypes)),
  status_class: Type.Optional(Type.Enum(statusClasses)),
  error_code: Type.Optional(Type.Enum(deliveryErrorCodes)),
  ...createdFilter,
};

export const DeliveryFilter = Type.Object(deliveryFilter, closed);

export type DeliveryFilter = Static<typeof DeliveryFilter>;

export const DeliveryQuery = Type.Interface([PageQuery], deliveryFilter, closed);

export type DeliveryQuery = Static<typeof DeliveryQuery>;

/** Most deliveries that one bulk retry handles. */
const bulkRetryMax = 1000;

/** A bulk retry of the listed ids, or of all deliveries that match a filter. `dry_run` only counts. */
export const BulkRetry = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: bulkRetryMax })),
    filter: Type.Optional(DeliveryFilter),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: bulkRetryMax,
        description: "with `filter`: most deliveries that one call retries (1,000 by default)",
      }),
    ),
    dry_run: Type.Optional(Type.Boolean()),
    run_id: Type.Optional(
      Type.String({
        description:
          "`run_id` of the previous answer, for a retry in several calls: they become one entry in the audit log",
      }),
    ),
  },
  closed,
);

export type BulkRetry = Static<typeof BulkRetry>;

export const BulkRetryResult = Type.Object({
  object: Type.Literal("webhook.delivery_retry"),
  dry_run: Type.Boolean(),
  run_id: Nullable(
    Type.String({ description: "`bulk_…`, target of the audit log's entry; null for `dry_run`" }),
  ),
  matched: Type.Integer({ description: "number of deliveries that match the selection" }),
  retryable: Type.Integer({
    description:
      "number of these that can be retried: failed or dead-letter, with an enabled endpoint and a stored payload",
  }),
  retried: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      delivery_id: Nullable(Type.String({ description: "id of the new delivery" })),
      code: Nullable(Type.String({ description: "why the retry of this delivery was refused" })),
    }),
  ),
  has_more: Type.Boolean({
    description: "true when more deliveries match than one call handles (`limit`): call again",
  }),
});

export type BulkRetryResult = Static<typeof BulkRetryResult>;
