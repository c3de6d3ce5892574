import { type Static, Type } from "typebox";
import { apiTypes, regionNames } from "../catalog-constants.ts";
import { closed, NoQuery, Nullable } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { codesOf } from "../sentences.ts";
import {
  affinityRules,
  malformedEventRules,
  providerFields,
  routeNumbers,
  routeReasons,
  unfinishedAnswerRules,
} from "./constants.ts";
import { ProviderName } from "./providers.ts";

/**
 * Where a route comes from: the providers file, which the console cannot change, or the console and its API.
 */
export const managers = ["file", "console"] as const;

const AnyObject = Type.Record(Type.String(), Type.Unknown());
/** The region of the route. Without it: all regions of the provider that offer the model. */
const Regions = Type.Array(Type.Enum(regionNames), { minItems: 1, maxItems: regionNames.length });

/**
 * Changes to the body's fields on their way to the upstream: fields to drop, to rename, to fill in if
 * missing, and to always send.
 */
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
    "reasons to try the next route, before the caller has received any content. Default: `busy`, `down` and `too_long`, and for text (chats, embeddings, rankings) also `failed` and `slow`. If the list has `failed`, other operations also try the next route after an answer of 500: list it only for providers that do not charge for such an answer. Empty: no second try",
});

const ThinksSilently = Type.Boolean({
  description:
    "true when the model thinks for long before it sends anything: then no limit ends its silence before the first token. By default the gateway decides by the model's name",
});
const WaitForRetryAfter = Type.Integer({
  ...routeNumbers.wait_for_retry_after_ms,
  description:
    "the longest `Retry-After` of a 429 for which a request waits before it tries this route again (0: it never waits)",
});
const MalformedEvents = Type.Enum(malformedEventRules, {
  description:
    "what to do with an event of a stream that is not JSON: `fail` (default) ends the answer with an error, `skip` leaves the event out and counts it",
});
const UnfinishedAnswers = Type.Enum(unfinishedAnswerRules, {
  description:
    "what to do with an answer that has content and ends as usual, but without a finish reason: `fail` (default) treats it as a broken stream, `accept` as complete, with the finish reason `stop`",
});

const ContinueStreams = Type.Boolean({
  description:
    "true: a stream that breaks or stalls after its first content is continued by the next route or model that accepts a prefilled answer. Default: false",
});
const AcceptsPrefill = Type.Boolean({
  description:
    "true when the model continues a last message of the assistant instead of starting a new one. Some models refuse such a message. Default: false",
});

const Affinity = Type.Enum(affinityRules, {
  description:
    "`on` (default): a conversation stays with this route and one of its keys while they can be used, because the provider has the beginning of its prompt in a cache. `off`: route and key are drawn for each request",
});

const CacheBreakpoint = Type.Boolean({
  description:
    "Anthropic: true marks the end of tools and of system for its cache (`cache_control`), unless the request has marks of its own. Default: false",
});

/** One route, in the same form in the providers file and in the console. */
export const RouteEntry = Type.Object(
  {
    models: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 500,
      description: "ids of models in the catalog",
    }),
    api_types: Type.Optional(
      Type.Array(Type.Enum(apiTypes), {
        minItems: 1,
        description: "operations of the models that use the route; by default all",
      }),
    ),
    regions: Type.Optional(Regions),
    provider: ProviderName,
    upstream_model: Type.String(providerFields.upstreamModel),
    priority: Type.Optional(
      Type.Integer({
        ...routeNumbers.priority,
        description: "routes with a lower number are tried first (default 0)",
      }),
    ),
    weight: Type.Optional(
      Type.Integer({
        ...routeNumbers.weight,
        description:
          "share of the requests among routes of the same priority; 0: used only when no other route can serve",
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: "^/[^\\s?#]*$",
        description: "DashScope: the service path, for a model with a separate one",
      }),
    ),
    fields: Type.Optional(FieldRules),
    go_on_when: Type.Optional(GoOnWhen),
    thinks_silently: Type.Optional(ThinksSilently),
    wait_for_retry_after_ms: Type.Optional(WaitForRetryAfter),
    malformed_events: Type.Optional(MalformedEvents),
    unfinished_answers: Type.Optional(UnfinishedAnswers),
    continue_streams: Type.Optional(ContinueStreams),
    accepts_prefill: Type.Optional(AcceptsPrefill),
    affinity: Type.Optional(Affinity),
    cache_breakpoint: Type.Optional(CacheBreakpoint),
    next_after_500: Type.Optional(
      Type.Boolean({
        description: "from earlier releases: true adds `failed` to the default of `go_on_when`",
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
  id: Type.String({ description: "`rte_…`; for a route of the providers file, its position: `file:0`" }),
  object: Type.Literal("route"),
  managed_by: Type.Enum(managers),
  models: Type.Array(Type.String()),
  api_types: Nullable(Type.Array(Type.Enum(apiTypes))),
  regions: Nullable(Type.Array(Type.Enum(regionNames))),
  provider: Type.String(),
  upstream_model: Type.String(),
  priority: Type.Integer(),
  weight: Nullable(
    Type.Integer({
      description: "share of the requests; null: routes of one priority are tried in the order of the list",
    }),
  ),
  path: Nullable(Type.String()),
  fields: Nullable(FieldRules),
  go_on_when: GoOnWhen,
  thinks_silently: Nullable(ThinksSilently),
  wait_for_retry_after_ms: WaitForRetryAfter,
  malformed_events: MalformedEvents,
  unfinished_answers: UnfinishedAnswers,
  continue_streams: ContinueStreams,
  accepts_prefill: AcceptsPrefill,
  affinity: Affinity,
  cache_breakpoint: CacheBreakpoint,
  next_after_500: Type.Boolean({
    description: "the form of earlier releases: true when `go_on_when` has `failed`",
  }),
  problem: Nullable(
    Type.String({ description: "why the route serves nothing now, e.g. its provider was removed" }),
  ),
  problem_codes: codesOf("problem"),
  serves: Type.Array(RouteTarget),
  overruled: Type.Array(RouteTarget, {
    description: "operations that the route would serve without the providers file",
  }),
});
export type OperatorRoute = Static<typeof OperatorRoute>;

export const RouteTable = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorRoute, {
    description: "routes of the providers file first, then those of the console",
  }),
  revision: Type.Integer({ description: "revision of the configuration: send it with PUT" }),
  unmapped: Type.Enum(["sandbox", "refuse"] as const, {
    description: "how operations without a route are run; the providers file sets it",
  }),
});
export type RouteTable = Static<typeof RouteTable>;

/** The complete list of the console's routes. Routes without an `id` are new, missing ones are removed. */
export const RouteTableUpdate = Type.Object(
  {
    routes: Type.Array(Type.Interface([RouteEntry], { id: Type.Optional(Type.String()) }, closed), {
      maxItems: 1000,
    }),
    revision: Type.Optional(
      Type.Integer({
        description:
          "revision of the configuration that the caller read; refused with `configuration_changed` if it is not the current one",
      }),
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
    upstream_model: Type.String(providerFields.upstreamModel),
    regions: Type.Optional(Regions),
    replace: Type.Optional(
      Type.Boolean({
        description:
          "false: keep the routes that these operations have, which are tried first. Default: true",
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: "true: only report which models would be mapped and which not" }),
    ),
  },
  closed,
);
export type RouteMapAll = Static<typeof RouteMapAll>;

export const RouteMapAllResult = Type.Interface([RouteTable], {
  mapped: Type.Array(Type.String(), { description: "models that the route serves, or would serve" }),
  skipped: Type.Array(
    Type.Object({ model: Type.String(), reason: Type.String(), reason_codes: codesOf("reason") }),
  ),
});
export type RouteMapAllResult = Static<typeof RouteMapAllResult>;

/**
 * The request that a route would send. `input` is the entry's example by default. Nothing is sent or stored.
 */
export const RoutePreviewRequest = Type.Object(
  {
    route: RouteEntry,
    model: Type.Optional(Type.String({ description: "one of the route's models; by default the first" })),
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
    headers: Type.Record(Type.String(), Type.String(), { description: "headers, without the key" }),
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

export const operatorRouteRoutes = {
  "GET /operator/routes": {
    summary: "List the routes, which map operations to providers",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: RouteTable },
  },
  "PUT /operator/routes": {
    summary: "Replace the console's routes",
    operator: true,
    extension: true,
    body: RouteTableUpdate,
    answers: { 200: RouteTable },
  },
  "POST /operator/routes/map": {
    summary: "Map every model with an operation to one upstream model",
    operator: true,
    extension: true,
    byClick: true,
    body: RouteMapAll,
    answers: { 200: RouteMapAllResult },
  },
  "POST /operator/routes/preview": {
    summary: "Show what a route would send, without sending it",
    operator: true,
    extension: true,
    byClick: true,
    body: RoutePreviewRequest,
    answers: { 200: RoutePreview },
  },
} as const satisfies Routes;
