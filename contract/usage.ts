import { type Static, Type } from "typebox";
import { goOnReasons } from "./aliases.ts";
import { errorCodes } from "./error.ts";
import { closed, ListOf, PageQuery } from "./list.ts";
import { Metadata, MetadataFilter, metadataLimits } from "./metadata.ts";
import { Amount, Cost, Currency } from "./money/cost.ts";
import { Nullable, Timestamp } from "./nullable.ts";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

/** The groupings of usage. */
export const usageGroups = ["day", "model", "key", "member", "provider", "region", "kind", "batch"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The filters of usage, also of its files. */
export const usageFilters = {
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.String()),
};

/** The runs that count. */
export const payerFilters = {
  key_id: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String({ description: "Only of this member's sessions and personal keys" })),
};

/** The query of one account's usage. */
const accountFilters = {
  ...usageFilters,
  ...payerFilters,
  metadata: Type.Optional(
    Type.String({
      ...MetadataFilter,
      description:
        "`key=value` of a key in the account's `usage_keys`: only runs that said it, by day and model",
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

/** A pattern of names with commas between them. */
export function groupPattern(names: readonly string[]): string {
  const name = `(?:${names.join("|")})`;
  return `^${name}(?:,${name}){0,${names.length - 1}}$`;
}

/** What runs cost together: the sum of those that have a price, and how many have none. */
export const UsageCost = Type.Object({
  amount: Nullable(Amount),
  currency: Currency,
  not_priced: Type.Integer({ description: "runs without a price, which are in no amount" }),
});
export type UsageCost = Static<typeof UsageCost>;

/** Sums of one unit. A row has the fields that it is grouped by. */
export const UsageRow = Type.Object({
  day: Type.Optional(Type.String({ description: "UTC date" })),
  model: Type.Optional(Type.String()),
  key_id: Type.Optional(Nullable(Type.String())),
  user_id: Type.Optional(
    Nullable(Type.String({ description: "the member: signed in, or whose personal key it is" })),
  ),
  provider: Type.Optional(
    Nullable(Type.String({ description: "null: before providers were counted apart" })),
  ),
  region: Type.Optional(Nullable(Type.String())),
  kind: Type.Optional(
    Type.String({ description: "what was counted, and what set its price: `input_token`, `second:720P`" }),
  ),
  batch_id: Type.Optional(Nullable(Type.String())),
  unit: Type.String(),
  quantity: Type.Number(),
  requests: Type.Integer({ description: "metered runs: sync answers, predictions and rows of batches" }),
  cost: UsageCost,
});
export type UsageRow = Static<typeof UsageRow>;
export const UsageList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(UsageRow),
  has_more: Type.Boolean({ description: "there were more rows than one answer has: narrow the time" }),
  total: Type.Object(
    { requests: Type.Integer(), cost: UsageCost },
    { description: "of all rows, also of those that the answer left out" },
  ),
});
export type UsageList = Static<typeof UsageList>;

export const usageFormats = ["csv", "focus"] as const;
export const UsageExportQuery = Type.Object(
  {
    ...accountFilters,
    format: Type.Optional(
      Type.Enum(usageFormats, {
        description: "`focus`: the columns of FOCUS 1.2, of what has a price; `csv` by default",
      }),
    ),
  },
  closed,
);
export type UsageExportQuery = Static<typeof UsageExportQuery>;

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
        description: "how many values of each key and unit, the largest first; 100 by default",
      }),
    ),
  },
  closed,
);
export type MetadataUsageQuery = Static<typeof MetadataUsageQuery>;

export const MetadataUsageRow = Type.Object({
  key: Type.String(),
  value: Nullable(Type.String({ description: "null: all others together" })),
  unit: Type.String(),
  quantity: Type.Number(),
  requests: Type.Integer({ description: "metered runs" }),
  cost: UsageCost,
});
export type MetadataUsageRow = Static<typeof MetadataUsageRow>;
export const MetadataUsageList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(MetadataUsageRow),
});
export type MetadataUsageList = Static<typeof MetadataUsageList>;

/** A try at an upstream that failed before the answer began. */
export const FailedTry = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  region: Type.String(),
  key: Nullable(Type.String({ description: "the name of the provider's key, where it has several" })),
  code: Type.String(),
  status: Nullable(Type.Integer({ description: "the upstream's HTTP status, where it answered" })),
  duration_ms: Type.Number(),
  reason: Type.Optional(
    Nullable(
      Type.Enum(goOnReasons, {
        description: "why the same route was asked again, or the next route or model was; null: nobody was",
      }),
    ),
  ),
});
export type FailedTry = Static<typeof FailedTry>;

export const RequestRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("request"),
  at: Timestamp,
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  model: Nullable(Type.String()),
  region: Nullable(Type.String()),
  alias: Nullable(Type.String({ description: "the name that stood for the model, where one did" })),
  metadata: Nullable(Metadata),
  key_id: Nullable(Type.String()),
  user_id: Nullable(
    Type.String({
      description: "the member, also with a personal key; null: a service key, or release 0.3 wrote the row",
    }),
  ),
  duration_ms: Type.Number({ description: "Of several requests the average" }),
  count: Type.Integer({
    description:
      "1; requests that a rate or concurrency limit rejected are one row per key, route and minute, with their number",
  }),
  run_id: Nullable(
    Type.String({
      description: "the sync run or prediction that it led to; its cost is at `/runs/{id}/cost`",
    }),
  ),
  cost: Nullable(Cost),
  usage: Nullable(
    Type.Object(
      { unit: Type.String(), quantity: Type.Number() },
      { description: "What a sync operation used, also when its stream broke or its client left" },
    ),
  ),
});
export type RequestRow = Static<typeof RequestRow>;

/** One request with the story of its run. Times are milliseconds since it arrived. */
export const RequestDetail = Type.Interface([RequestRow], {
  provider: Nullable(Type.String({ description: "the upstream that answered, or was tried last" })),
  bytes_in: Nullable(Type.Integer()),
  bytes_out: Nullable(Type.Integer()),
  tokens_out: Nullable(Type.Integer({ description: "of `usage`" })),
  asked_ms: Nullable(Type.Number({ description: "when the upstream that was tried last was asked" })),
  first_ms: Nullable(Type.Number({ description: "when its streamed answer began" })),
  answered_ms: Nullable(Type.Number({ description: "when its answer had ended" })),
  failed_tries: Type.Array(FailedTry, { description: "upstreams that failed before, in order" }),
});
export type RequestDetail = Static<typeof RequestDetail>;

export const RequestQuery = Type.Interface(
  [PageQuery],
  {
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
    model: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
    user_id: Type.Optional(
      Type.String({ description: "Only what this member asked, signed in or with a personal key" }),
    ),
    metadata: Type.Optional(MetadataFilter),
    actor: Type.Optional(
      Type.Enum(["key", "user"], {
        description:
          "Only requests of programs with a key, or only those of signed-in people, for whom the console makes many.",
      }),
    ),
    console_reads: Type.Optional(
      Type.Boolean({ description: "`false` leaves out what the console reads for people who are signed in" }),
    ),
  },
  closed,
);
export type RequestQuery = Static<typeof RequestQuery>;
export const RequestList = ListOf(RequestRow);
