import { type Static, Type } from "typebox";
import { goOnReasons } from "./alias-constants.ts";
import { errorCodes } from "./error.ts";
import { guardResults, guardStages } from "./guard-constants.ts";
import { closed, createdFilter, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "./list.ts";
import { Metadata, MetadataFilter, metadataLimits } from "./metadata.ts";
import { Amount, Cost, Currency, RunCost } from "./money/cost.ts";
import { keyChoices } from "./operator/constants.ts";
import { bytesOf, type Routes } from "./routes/route.ts";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

/** The fields by which usage can be grouped. */
export const usageGroups = ["day", "model", "key", "member", "provider", "region", "kind", "batch"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The filters of usage, also in its exported files. */
export const usageFilters = {
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.String()),
};

/** Filters by the key or the member whose runs are added up. */
export const payerFilters = {
  key_id: Type.Optional(Type.String()),
  user_id: Type.Optional(
    Type.String({ description: "Only usage of this member's sessions and personal keys" }),
  ),
};

/** The query of one account's usage. */
const accountFilters = {
  ...usageFilters,
  ...payerFilters,
  metadata: Type.Optional(
    Type.String({
      ...MetadataFilter,
      description:
        "`key=value` with a key in the account's `usage_keys`: only runs with this metadata, by day and model",
    }),
  ),
};

export const UsageQuery = Type.Object(
  {
    ...accountFilters,
    group_by: Type.Optional(
      Type.String({
        pattern: groupPattern(usageGroups),
        examples: ["day,model"],
        description: `one or more of ${usageGroups.join(", ")}, with commas; day,model,key by default, day,model with \`metadata\``,
      }),
    ),
  },
  closed,
);

/** A regular expression for names with commas between them. */
export function groupPattern(names: readonly string[]): string {
  const name = `(?:${names.join("|")})`;
  return `^${name}(?:,${name}){0,${names.length - 1}}$`;
}

/** The cost of runs together: the sum of those with a price, and the number of those without. */
export const UsageCost = Type.Object({
  amount: Nullable(Amount),
  currency: Currency,
  not_priced: Type.Integer({ description: "number of runs without a price, which no amount includes" }),
});
export type UsageCost = Static<typeof UsageCost>;

/** Sums of one unit. A row has the fields by which the query groups. */
export const UsageRow = Type.Object({
  day: Type.Optional(Type.String({ description: "day (UTC)" })),
  model: Type.Optional(Type.String()),
  key_id: Type.Optional(Nullable(Type.String())),
  user_id: Type.Optional(
    Nullable(Type.String({ description: "id of the member, signed in or with a personal key" })),
  ),
  provider: Type.Optional(
    Nullable(
      Type.String({ description: "provider; null: usage from before providers were counted separately" }),
    ),
  ),
  region: Type.Optional(Nullable(Type.String())),
  kind: Type.Optional(
    Type.String({ description: "kind and price variant of the usage: `input_token`, `second:720P`" }),
  ),
  batch_id: Type.Optional(Nullable(Type.String())),
  unit: Type.String(),
  quantity: Type.Number(),
  requests: Type.Integer({
    description: "number of metered runs: sync answers, predictions and rows of batches",
  }),
  cost: UsageCost,
});
export type UsageRow = Static<typeof UsageRow>;

export const UsageList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(UsageRow),
  has_more: Type.Boolean({
    description: "true when more rows exist than one answer can contain: choose a shorter time",
  }),
  total: Type.Object(
    { requests: Type.Integer(), cost: UsageCost },
    { description: "sum over all rows, including those that the answer left out" },
  ),
});
export type UsageList = Static<typeof UsageList>;

export const usageFormats = ["csv", "focus"] as const;

export const UsageExportQuery = Type.Object(
  {
    ...accountFilters,
    format: Type.Optional(
      Type.Enum(usageFormats, {
        description: "`focus`: the columns of FOCUS 1.2, only for usage with a price; `csv` by default",
      }),
    ),
  },
  closed,
);
export type UsageExportQuery = Static<typeof UsageExportQuery>;

/** The fields by which the sums of the providers' caches can be grouped. */
export const promptCacheGroups = ["model", "provider", "upstream_key", "key"] as const;
export type PromptCacheGroup = (typeof promptCacheGroups)[number];

export const PromptCacheQuery = Type.Object(
  {
    ...{ from: usageFilters.from, to: usageFilters.to },
    ...{ model: usageFilters.model, provider: usageFilters.provider },
    ...payerFilters,
    group_by: Type.Optional(Type.Enum(promptCacheGroups, { default: "model" })),
  },
  closed,
);
export type PromptCacheQuery = Static<typeof PromptCacheQuery>;

const promptCacheSums = {
  input_tokens: Type.Number({ description: "input tokens, cached ones included" }),
  cached_tokens: Type.Number({ description: "input tokens that the provider had in its cache" }),
  requests: Type.Integer({ description: "number of metered runs" }),
  saved: UsageCost,
};

/** The cached tokens of runs together. A row has the fields by which the query groups. */
export const PromptCacheRow = Type.Object({
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  upstream_key: Type.Optional(
    Nullable(Type.String({ description: "name of the provider's key; null: it has one key" })),
  ),
  key_id: Type.Optional(Nullable(Type.String({ description: "null: signed-in people" }))),
  ...promptCacheSums,
});
export type PromptCacheRow = Static<typeof PromptCacheRow>;

export const PromptCacheList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(PromptCacheRow),
  has_more: Type.Boolean({ description: "true when more rows exist than one answer can contain" }),
  total: Type.Object(promptCacheSums, {
    description:
      "sum over all rows. `saved` is the full price of the input less its cost; writing to a cache has a surcharge, so it can be below zero",
  }),
});
export type PromptCacheList = Static<typeof PromptCacheList>;

export const MetadataUsageQuery = Type.Object(
  {
    key: Type.Optional(Type.String({ minLength: 1, maxLength: metadataLimits.keyLength })),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    model: Type.Optional(Type.String()),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: "most values per key and unit, the largest first; 100 by default",
      }),
    ),
  },
  closed,
);
export type MetadataUsageQuery = Static<typeof MetadataUsageQuery>;

export const MetadataUsageRow = Type.Object({
  key: Type.String(),
  value: Nullable(Type.String({ description: "value; null: all other values together" })),
  unit: Type.String(),
  quantity: Type.Number(),
  requests: Type.Integer({ description: "number of metered runs" }),
  cost: UsageCost,
});
export type MetadataUsageRow = Static<typeof MetadataUsageRow>;

export const MetadataUsageList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(MetadataUsageRow),
});
export type MetadataUsageList = Static<typeof MetadataUsageList>;

/** A failed try at an upstream, before the answer started. */
export const FailedTry = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  region: Type.String(),
  key: Nullable(Type.String({ description: "name of the provider's key, when it has several" })),
  code: Type.String(),
  status: Nullable(Type.Integer({ description: "the upstream's HTTP status, if it answered" })),
  duration_ms: Type.Number(),
  reason: Type.Optional(
    Nullable(
      Type.Enum(goOnReasons, {
        description:
          "why the same route was tried again, or the next route or model; null: there was no further try",
      }),
    ),
  ),
});
export type FailedTry = Static<typeof FailedTry>;

/** What came of a question to a guard. */
export const AskedGuard = Type.Object({
  of: Type.Enum(["account", "installation"]),
  stage: Type.Enum(guardStages),
  result: Type.Enum(guardResults),
  duration_ms: Type.Number(),
});
export type AskedGuard = Static<typeof AskedGuard>;

/** The key that was used last, of a provider that has several. */
export const UpstreamKey = Type.Object({
  name: Type.String({ description: "name of the provider's key" }),
  chosen: Type.Enum(keyChoices, {
    description:
      "why: `stays`: the conversation's own key; `drawn`: drawn for this request; `favourite_resting`: the conversation's own key, or its route, could not be used",
  }),
});
export type UpstreamKey = Static<typeof UpstreamKey>;

/** With `false`, nothing of a request's contents is kept, whatever its account chose. */
export const keepContentsHeader = "x-svc-keep-contents";
/** Names a request as its caller does. It need not be unique. */
export const clientRequestIdHeader = "x-client-request-id";
export const clientRequestIdLength = 128;

/** Whether a request's contents are kept: they are, its caller declined, or its key is left out. */
const contentsStates = ["kept", "declined", "key_left_out"] as const;
export type ContentsState = (typeof contentsStates)[number];

export const RequestRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("request"),
  at: Timestamp,
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  message: Type.Optional(
    Nullable(
      Type.String({
        description:
          "the sentence of the error that the caller got, at most 1,000 characters; values of the caller are cut to 200, and what looks like a secret is `[hidden]`",
      }),
    ),
  ),
  param: Type.Optional(Nullable(Type.String({ description: "the parameter that the error names" }))),
  model: Nullable(Type.String()),
  wanted_model: Type.Optional(
    Nullable(
      Type.String({
        description: "the model that a failed request named, if it ran on none; it may not exist",
      }),
    ),
  ),
  region: Nullable(Type.String()),
  alias: Nullable(Type.String({ description: "the alias that the request named, if any" })),
  metadata: Nullable(Metadata),
  client_request_id: Type.Optional(
    Nullable(Type.String({ description: "the request's `x-client-request-id`" })),
  ),
  conversation: Type.Optional(
    Nullable(
      Type.String({
        description:
          "equal for the requests of one conversation, if a header, a chain of responses or kept contents name it",
      }),
    ),
  ),
  contents: Type.Optional(
    Nullable(
      Type.Enum(contentsStates, {
        description:
          "`kept`: `GET /contents/{id}` reads them, until they are removed. `declined`: the caller asked that nothing is kept. `key_left_out`: the key's `contents` say so. Null: the account keeps none, or none of this kind",
      }),
    ),
  ),
  key_id: Nullable(Type.String()),
  user_id: Nullable(
    Type.String({
      description:
        "id of the member, signed in or with a personal key; null: a service key, or release 0.3 wrote the row",
    }),
  ),
  duration_ms: Type.Number({ description: "Duration in ms; for a row of several requests, the average" }),
  count: Type.Integer({
    description:
      "number of requests in the row: 1, except for requests that a rate or concurrency limit rejected, which share one row per key, route and minute",
  }),
  run_id: Nullable(
    Type.String({
      description:
        "id of the sync run or prediction that the request started; its cost is at `/runs/{id}/cost`",
    }),
  ),
  cost: Nullable(Cost),
  usage: Nullable(
    Type.Object(
      { unit: Type.String(), quantity: Type.Number() },
      { description: "Usage of a sync operation, also when its stream broke or its client left" },
    ),
  ),
});
export type RequestRow = Static<typeof RequestRow>;

/** One request with the progress of its run. Times are milliseconds since the request arrived. */
export const RequestDetail = Type.Interface([RequestRow], {
  provider: Nullable(Type.String({ description: "provider that answered, or was tried last" })),
  bytes_in: Nullable(Type.Integer()),
  bytes_out: Nullable(Type.Integer()),
  tokens_out: Nullable(Type.Integer({ description: "cost of `usage`" })),
  asked_ms: Nullable(Type.Number({ description: "time at which the request was sent to the last upstream" })),
  first_ms: Nullable(Type.Number({ description: "time at which the streamed answer started" })),
  answered_ms: Nullable(Type.Number({ description: "time at which the answer ended" })),
  upstream_key: Nullable(UpstreamKey),
  failed_tries: Type.Array(FailedTry, {
    description: "tries at other upstreams that failed before, in order",
  }),
  guards: Type.Array(AskedGuard, { description: "the guards that were asked about its run, in order" }),
});
export type RequestDetail = Static<typeof RequestDetail>;

/** The filters of the request log. */
export const requestFilter = {
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599 })),
  status_class: Type.Optional(Type.Enum(["2xx", "3xx", "4xx", "5xx"])),
  code: Type.Optional(Type.Enum(errorCodes)),
  route: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Part of the route, e.g. `/v1/predictions`, in any case",
    }),
  ),
  model: Type.Optional(
    Type.String({ description: "Only requests that ran on this model, or failed and named it" }),
  ),
  key_id: Type.Optional(Type.String()),
  user_id: Type.Optional(
    Type.String({ description: "Only requests of this member, signed in or with a personal key" }),
  ),
  metadata: Type.Optional(MetadataFilter),
  client_request_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: clientRequestIdLength,
      description: "Only requests that were sent with this `x-client-request-id`",
    }),
  ),
  conversation: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "Only requests of this `conversation`" }),
  ),
  contents: Type.Optional(Type.Literal("kept", { description: "Only requests whose contents were kept" })),
  actor: Type.Optional(
    Type.Enum(["key", "user"], {
      description:
        "`key`: only requests of programs with a key. `user`: only those of signed-in people, for whom the console sends many",
    }),
  ),
  runs: Type.Optional(
    Type.Boolean({ description: "`true`: only requests that started a run, which failed or succeeded" }),
  ),
  console_reads: Type.Optional(
    Type.Boolean({ description: "`false` leaves out the console's reads for signed-in people" }),
  ),
};

const RequestFilter = Type.Object(requestFilter);
export type RequestFilter = Static<typeof RequestFilter>;

export const RequestQuery = Type.Interface([PageQuery], requestFilter, closed);
export type RequestQuery = Static<typeof RequestQuery>;

/** The filters of the log without its pages, for a file of all rows. */
export const RequestExportQuery = Type.Object({ ...requestFilter, ...createdFilter }, closed);

export const RequestList = ListOf(RequestRow);

export const usageRoutes = {
  "GET /usage": {
    summary: "Read metered usage",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: UsageQuery,
    answers: { 200: UsageList },
  },
  "GET /usage/export": {
    summary: "Download usage and its cost as a table",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: UsageExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with the sums of each UTC day") },
  },
  "GET /usage/cache": {
    summary: "Read how much input came from the providers' caches, and what that saved",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: PromptCacheQuery,
    answers: { 200: PromptCacheList },
  },
  "GET /usage/metadata": {
    summary: "Read metered usage by the values of a metadata key",
    permission: "usage:read",
    extension: true,
    fromBrowser: true,
    query: MetadataUsageQuery,
    answers: { 200: MetadataUsageList },
  },
  "GET /runs/{id}/cost": {
    summary: "Read how the cost of a run was calculated",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: RunCost },
  },
  "GET /requests": {
    summary: "Read the request log",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: RequestQuery,
    answers: { 200: RequestList },
  },
  "GET /requests/export": {
    summary: "Download the request log as a table",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: RequestExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with a line for each row of the log, newest first") },
  },
  "GET /requests/{id}": {
    summary: "Read a request and the progress of its run",
    permission: "requests:read",
    extension: true,
    answers: { 200: RequestDetail },
  },
} as const satisfies Routes;
