import { type Static, Type } from "typebox";
import { apiTypes, regionNames } from "../catalog-constants.ts";
import { closed } from "../list.ts";
import { Nullable } from "../nullable.ts";
import { malformedEventRules, maxRetryAfterWaitMs, routeReasons } from "./constants.ts";
import { ProviderName } from "./providers.ts";

/** The source of a route: the providers file, which is read-only here, or the console and its API. */
export const managers = ["file", "console"] as const;

const AnyObject = Type.Record(Type.String(), Type.Unknown());
/** Without it: all regions of the provider in which a model is offered. */
const Regions = Type.Array(Type.Enum(regionNames), { minItems: 1, maxItems: regionNames.length });

/** Changes to fields on their way upstream: dropped, renamed, filled in where missing, always sent. */
export const FieldRules = Type.Object(
  {
    omit: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    rename: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    defaults: Type.Optional(AnyObject),
    set: Type.Optional(AnyObject),
  },
  closed,
);
export type FieldRules = Static<typeof FieldRules>;

const GoOnWhen = Type.Array(Type.Enum(routeReasons), {
  uniqueItems: true,
  description:
    "when the next route is tried, before the caller has got any content: unless it is set `busy`, `down` and `too_long`, and for text (chats, embeddings, rankings) also `failed` and `slow`. With `failed` in it other operations also try the next route after an answer of 500, too: only for providers that charge nothing for it. Empty: no second try at all",
});

const ThinksSilently = Type.Boolean({
  description:
    "whether its model thinks for long before it sends anything: then no limit ends its silence before the first token. Unless it is set, what is known of the model by its name",
});
const WaitForRetryAfter = Type.Integer({
  minimum: 0,
  maximum: maxRetryAfterWaitMs,
  description:
    "the longest `Retry-After` of a 429 that a request waits for before it asks this route again (0: none)",
});
const MalformedEvents = Type.Enum(malformedEventRules, {
  description:
    "an event of its streams that is no JSON: `fail` ends the answer with an error (the default), `skip` leaves it out and counts it",
});

const ContinueStreams = Type.Boolean({
  description:
    "whether a stream that breaks or stalls after its first content is continued by the next route or model that accepts a prefilled answer (false)",
});
const AcceptsPrefill = Type.Boolean({
  description:
    "whether its model continues a last message of the assistant instead of beginning a new one; some models refuse one (false)",
});

/** One route, in the same form in the providers file and in the console. */
export const RouteEntry = Type.Object(
  {
    models: Type.Array(Type.String(), { minItems: 1, maxItems: 500, description: "catalog ids" }),
    api_types: Type.Optional(
      Type.Array(Type.Enum(apiTypes), {
        minItems: 1,
        description: "only these operations of the models; all of them when absent",
      }),
    ),
    regions: Type.Optional(Regions),
    provider: ProviderName,
    upstream_model: Type.String({ minLength: 1, maxLength: 300 }),
    priority: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, description: "lower is tried first (0)" }),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description:
          "share of the requests among routes of the same priority; 0: only when no other can serve",
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: "^/[^\\s?#]*$",
        description: "DashScope: the service path, for a model that has its own",
      }),
    ),
    fields: Type.Optional(FieldRules),
    go_on_when: Type.Optional(GoOnWhen),
    thinks_silently: Type.Optional(ThinksSilently),
    wait_for_retry_after_ms: Type.Optional(WaitForRetryAfter),
    malformed_events: Type.Optional(MalformedEvents),
    continue_streams: Type.Optional(ContinueStreams),
    accepts_prefill: Type.Optional(AcceptsPrefill),
    next_after_500: Type.Optional(
      Type.Boolean({
        description: "of earlier releases: true adds `failed` to the usual reasons of `go_on_when`",
      }),
    ),
  },
  closed,
);
export type RouteEntry = Static<typeof RouteEntry>;

/** One operation in one region that a route would serve. */
export const RouteTarget = Type.Object({
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  region: Type.Enum(regionNames),
});
export type RouteTarget = Static<typeof RouteTarget>;

export const OperatorRoute = Type.Object({
  id: Type.String({ description: "`rte_…`; of a route of the file its place, `file:0`" }),
  object: Type.Literal("route"),
  managed_by: Type.Enum(managers),
  models: Type.Array(Type.String()),
  api_types: Nullable(Type.Array(Type.Enum(apiTypes))),
  regions: Nullable(Type.Array(Type.Enum(regionNames))),
  provider: Type.String(),
  upstream_model: Type.String(),
  priority: Type.Integer(),
  weight: Nullable(Type.Integer({ description: "null: routes of one priority are tried in their order" })),
  path: Nullable(Type.String()),
  fields: Nullable(FieldRules),
  go_on_when: GoOnWhen,
  thinks_silently: Nullable(ThinksSilently),
  wait_for_retry_after_ms: WaitForRetryAfter,
  malformed_events: MalformedEvents,
  continue_streams: ContinueStreams,
  accepts_prefill: AcceptsPrefill,
  next_after_500: Type.Boolean({ description: "as earlier releases say it: `failed` is in `go_on_when`" }),
  problem: Nullable(Type.String({ description: "why it serves nothing now, e.g. its provider was removed" })),
  serves: Type.Array(RouteTarget),
  overruled: Type.Array(RouteTarget, {
    description: "what it would serve without the providers file",
  }),
});
export type OperatorRoute = Static<typeof OperatorRoute>;

export const RouteTable = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorRoute, { description: "the file's routes first, then those of the console" }),
  revision: Type.Integer({ description: "of the configuration: send it with PUT" }),
  unmapped: Type.Enum(["sandbox", "refuse"] as const, {
    description: "what happens to operations without a route; set in the providers file",
  }),
});
export type RouteTable = Static<typeof RouteTable>;

/** The console's whole part of the table. Routes without an `id` are new, missing ones are removed. */
export const RouteTableUpdate = Type.Object(
  {
    routes: Type.Array(Type.Interface([RouteEntry], { id: Type.Optional(Type.String()) }, closed), {
      maxItems: 1000,
    }),
    revision: Type.Optional(
      Type.Integer({ description: "refused with `configuration_changed` if it is not the current one" }),
    ),
  },
  closed,
);
export type RouteTableUpdate = Static<typeof RouteTableUpdate>;

/** "Map all chat models to …": one route for every model that has the operation. */
export const RouteMapAll = Type.Object(
  {
    api_type: Type.Enum(apiTypes),
    provider: ProviderName,
    upstream_model: Type.String({ minLength: 1, maxLength: 300 }),
    regions: Type.Optional(Regions),
    replace: Type.Optional(
      Type.Boolean({
        description: "false: keep the routes that these operations have; they are tried first (true)",
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Answers what would be mapped and what would not, and saves nothing" }),
    ),
  },
  closed,
);
export type RouteMapAll = Static<typeof RouteMapAll>;

export const RouteMapAllResult = Type.Interface([RouteTable], {
  mapped: Type.Array(Type.String(), { description: "models that the route serves now, or would serve" }),
  skipped: Type.Array(Type.Object({ model: Type.String(), reason: Type.String() })),
});
export type RouteMapAllResult = Static<typeof RouteMapAllResult>;

/**
 * What a route would send. `input` is the entry's example when absent. Nothing is sent and nothing stored.
 */
export const RoutePreviewRequest = Type.Object(
  {
    route: RouteEntry,
    model: Type.Optional(Type.String({ description: "one of the route's models; the first when absent" })),
    api_type: Type.Optional(Type.Enum(apiTypes)),
    region: Type.Optional(Type.Enum(regionNames)),
    input: Type.Optional(AnyObject),
  },
  closed,
);
export type RoutePreviewRequest = Static<typeof RoutePreviewRequest>;

export const RoutePreview = Type.Object({
  object: Type.Literal("route_preview"),
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  region: Type.Enum(regionNames),
  /** The caller's input. */
  input: AnyObject,
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), { description: "without the key" }),
    json: Nullable(AnyObject),
    form: Nullable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          value: Nullable(Type.String()),
          file: Nullable(Type.Object({ name: Type.String(), content_type: Type.String() })),
        }),
      ),
    ),
  }),
});
export type RoutePreview = Static<typeof RoutePreview>;
