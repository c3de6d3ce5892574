import { type Static, Type } from "typebox";
import { Gated } from "./attestations.ts";
import { closed, createdFilter, ListOf, PageQuery } from "./list.ts";
import { MetadataFilter } from "./metadata.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import {
  deliveryErrorCodes,
  deliveryStatuses,
  deliveryTriggers,
  endpointFields,
  eventTypes,
  maxFilterNames,
  maxRatePerSecond,
  ownHeaderLimits,
  subscribableEventTypes,
} from "./webhook-constants.ts";

export * from "./webhook-constants.ts";

export const EndpointHealth = Type.Object({
  deliveries_24h: Type.Integer(),
  success_rate_24h: Nullable(Type.Number({ description: "0..1 over finished attempts of the last 24 h" })),
  consecutive_failures: Type.Integer(),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
  hourly: Type.Array(Type.Object({ at: Timestamp, delivered: Type.Integer(), failed: Type.Integer() })),
});

export type EndpointHealth = Static<typeof EndpointHealth>;

/** In the answer when a URL was set; the URL is saved anyway, because every delivery checks again. */
const EndpointWarning = Type.Object({
  code: Type.Literal("would_not_be_delivered"),
  message: Type.String(),
});

const waitingActions = Type.Enum(["send", "drop"]);

/** In the answer that enables an endpoint: how many waiting deliveries were sent or dropped. */
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
    description: "the names of its own headers; their values are never shown",
  }),
  rate_per_second: Nullable(Type.Integer()),
  models: Nullable(Type.Array(Type.String())),
  keys: Nullable(Type.Array(Type.String())),
  secret_hint: Type.String({ description: "last four characters of the current secret" }),
  previous_secret_expires_at: Nullable(Timestamp),
  previous_secrets: Type.Array(Type.Object({ hint: Type.String(), expires_at: Timestamp }), {
    description: "earlier secrets that still sign in addition to the current one, the latest first",
  }),
  public_keys: Type.Array(
    Type.Object({
      key: Type.String({ description: "`whpk_` and the 32 bytes of an Ed25519 key in base64" }),
      expires_at: Nullable(
        Type.String({ format: "date-time", description: "until when a replaced one also signs" }),
      ),
    }),
    {
      description: "check the `v1a` signatures of its deliveries, the current one first; empty: it has none",
    },
  ),
  health: Type.Optional(EndpointHealth),
  waiting_deliveries: Type.Optional(
    Type.Integer({
      description:
        "how many deliveries wait until it is enabled; while it is, how many are due and wait for its rate",
    }),
  ),
  resumed: Type.Optional(ResumedDeliveries),
  warning: Type.Optional(EndpointWarning),
  created_at: Timestamp,
});

export type Endpoint = Static<typeof Endpoint>;

/** The answer to create and rotate, the only ones that contain `secret`. */
export const EndpointWithSecret = Type.Interface([Endpoint], { secret: Type.String() });

export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

/** Secrets of one endpoint that sign at the same time, the current one included. */
export const maxLiveSecrets = 5;

const SubscribedEvents = Type.Array(Type.Enum(subscribableEventTypes), {
  minItems: 1,
  maxItems: subscribableEventTypes.length,
  uniqueItems: true,
});

const endpointFilters = {
  models: filterOf("ids of models: events of other models are not sent; null: of all"),
  keys: filterOf("ids of keys: events of what other keys ran are not sent; null: of all"),
};

const rateOfEndpoint = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxRatePerSecond,
      description: "requests a second at most, retries included; more wait in the queue",
    }),
  ),
);

const signsToo = Type.Optional(
  Type.Boolean({
    description:
      "also sign with an Ed25519 key pair of its own (`v1a`), which receivers check with a public key; false removes the pair",
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
          description: "never shown again; left out in a change: the value that it has stays",
        }),
      ),
    },
    closed,
  ),
  { maxItems: ownHeaderLimits.count, description: "sent with every delivery, besides the gateway's own" },
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
    /** The complete list: a header that is not named is removed. */
    headers: Type.Optional(OwnHeaders),
    rate_per_second: rateOfEndpoint,
    ed25519: signsToo,
    ...endpointFilters,
    status: Type.Optional(Type.Enum(["enabled", "paused", "disabled"])),
    /** Only with `status: "enabled"`: whether the waiting deliveries are sent (the default) or dropped. */
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
        description: "how long the replaced secret continues to sign; 0 ends all earlier secrets at once",
      }),
    ),
  },
  closed,
);

export type RotateSecret = Static<typeof RotateSecret>;

/** The secret that signs an account's callbacks. */
export const CallbackSecret = Type.Object({ key: Type.String() });

export type CallbackSecret = Static<typeof CallbackSecret>;

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
      description: "null when nothing was sent, or when that is unknown",
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
    description: "whether the request named this receiver; then the query of `url` is not shown",
  }),
  prediction_id: Nullable(Type.String()),
  status: Type.String(),
  trigger: Type.Enum(deliveryTriggers),
  attempts: Type.Integer(),
  max_attempts: Type.Integer(),
  last_error: Nullable(Type.String({ description: "the last attempt's error_code" })),
  last_status_code: Nullable(
    Type.Integer({ description: "the last attempt's HTTP status; null when there was no complete answer" }),
  ),
  next_attempt_at: Nullable(Timestamp),
  waits_for: Nullable(
    Type.Enum(["endpoint", "rate"], {
      description: "`endpoint`: until its endpoint is enabled; `rate`: due, and its endpoint limits its rate",
    }),
  ),
  created_at: Timestamp,
  delivered_at: Nullable(Timestamp),
  retry_of: Nullable(Type.String()),
  retried_as: Nullable(Type.String()),
  notes: Type.Optional(Type.Integer({ description: "number of its notes; only in lists" })),
});

export type Delivery = Static<typeof Delivery>;

/** Where `gated` names an attestation, `attempt_log` shows neither bodies nor the receiver's headers. */
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
      description: "`key=value`: only of predictions with this pair in their metadata",
    }),
  ),
  status: Type.Optional(Type.Enum(deliveryStatuses)),
  retried: Type.Optional(
    Type.Boolean({
      description: "`true`: only those that were sent again by hand since; `false`: only those that were not",
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

/** The most deliveries that one bulk retry handles. */
const bulkRetryMax = 1000;

/** Bulk retry: by ids, or everything that matches a filter; `dry_run` only counts. */
export const BulkRetry = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: bulkRetryMax })),
    filter: Type.Optional(DeliveryFilter),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: bulkRetryMax,
        description: "with `filter`: how many one call retries at most (1,000 when left out)",
      }),
    ),
    dry_run: Type.Optional(Type.Boolean()),
    run_id: Type.Optional(
      Type.String({
        description:
          "of the answer before, for a retry in several calls: they are one entry in the audit log",
      }),
    ),
  },
  closed,
);

export type BulkRetry = Static<typeof BulkRetry>;

export const BulkRetryResult = Type.Object({
  object: Type.Literal("webhook.delivery_retry"),
  dry_run: Type.Boolean(),
  run_id: Nullable(Type.String({ description: "`bulk_…`, the target in the audit log; null for `dry_run`" })),
  matched: Type.Integer({ description: "deliveries that match the selection" }),
  retryable: Type.Integer({
    description: "of those, failed or dead-letter on an enabled endpoint with its payload kept",
  }),
  retried: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      delivery_id: Nullable(Type.String({ description: "the new delivery" })),
      code: Nullable(Type.String({ description: "why this one was refused" })),
    }),
  ),
  has_more: Type.Boolean({ description: "true when more match than one call handles (`limit`): call again" }),
});

export type BulkRetryResult = Static<typeof BulkRetryResult>;
