import { type Static, Type } from "typebox";
import { closed, Nullable } from "../list.ts";
import { Amount } from "../money/cost.ts";
import { bytesOf, type Routes } from "../routes/route.ts";
import {
  groupPattern,
  PromptCacheList,
  PromptCacheRow,
  payerFilters,
  promptCacheGroups,
  UsageCost,
  UsageExportQuery,
  UsageRow,
  usageFilters,
  usageGroups,
} from "../usage.ts";

export const operatorUsageGroups = ["account", ...usageGroups] as const;

/** The query of the usage of all accounts, or of one account. */
const filters = { ...usageFilters, ...payerFilters, account_id: Type.Optional(Type.String()) };

export const OperatorUsageQuery = Type.Object(
  {
    ...filters,
    group_by: Type.Optional(
      Type.String({
        pattern: groupPattern(operatorUsageGroups),
        examples: ["day,account"],
        description: `one or more of ${operatorUsageGroups.join(", ")}, with commas; day,account,model by default`,
      }),
    ),
  },
  closed,
);
export type OperatorUsageQuery = Static<typeof OperatorUsageQuery>;

/** `cost` is what the operator pays the providers, `charge` what the accounts pay. */
export const OperatorUsageRow = Type.Interface([UsageRow], {
  account_id: Type.Optional(Type.String()),
  account_name: Type.Optional(Type.String()),
  charge: UsageCost,
});
export type OperatorUsageRow = Static<typeof OperatorUsageRow>;

export const OperatorUsageList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorUsageRow),
  has_more: Type.Boolean(),
  total: Type.Object({ requests: Type.Integer(), cost: UsageCost, charge: UsageCost }),
});
export type OperatorUsageList = Static<typeof OperatorUsageList>;

export const OperatorUsageExportQuery = Type.Object(
  { ...filters, format: UsageExportQuery.properties.format },
  closed,
);
export type OperatorUsageExportQuery = Static<typeof OperatorUsageExportQuery>;

export const operatorPromptCacheGroups = ["account", ...promptCacheGroups] as const;
export type OperatorPromptCacheGroup = (typeof operatorPromptCacheGroups)[number];

export const OperatorPromptCacheQuery = Type.Object(
  {
    ...{ from: usageFilters.from, to: usageFilters.to },
    ...{ model: usageFilters.model, provider: usageFilters.provider },
    ...payerFilters,
    account_id: Type.Optional(Type.String()),
    group_by: Type.Optional(Type.Enum(operatorPromptCacheGroups, { default: "model" })),
  },
  closed,
);
export type OperatorPromptCacheQuery = Static<typeof OperatorPromptCacheQuery>;

/** `saved` is what the operator saves, at the cost of the runs. */
const OperatorPromptCacheRow = Type.Interface([PromptCacheRow], {
  account_id: Type.Optional(Type.String()),
  account_name: Type.Optional(Type.String()),
});

export const OperatorPromptCacheList = Type.Interface([PromptCacheList], {
  data: Type.Array(OperatorPromptCacheRow),
});
export type OperatorPromptCacheList = Static<typeof OperatorPromptCacheList>;

/** The rows behind a sum: one line of one run each. They are removed with the history; the sums stay. */
export const OperatorUsageLinesQuery = Type.Object(
  {
    day: Type.Optional(
      Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "a day; instead of `from` and `to`" }),
    ),
    from: usageFilters.from,
    to: usageFilters.to,
    account_id: Type.Optional(Type.String()),
    ...payerFilters,
    model: usageFilters.model,
    provider: usageFilters.provider,
    after: Type.Optional(Type.String({ description: "`next_after` of the previous page" })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 50,
        description: "number of runs on the page, each with all its lines",
      }),
    ),
  },
  closed,
);
export type OperatorUsageLinesQuery = Static<typeof OperatorUsageLinesQuery>;

export const OperatorUsageLine = Type.Object({
  run_id: Type.String(),
  kind: Type.String(),
  unit: Type.String(),
  quantity: Type.Number(),
  account_id: Type.String(),
  key_id: Nullable(Type.String()),
  user_id: Nullable(Type.String({ description: "id of the member, signed in or with a personal key" })),
  model: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  cost: Nullable(Amount),
  charge: Nullable(Amount),
});

export const OperatorUsageLines = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(OperatorUsageLine),
  has_more: Type.Boolean(),
  next_after: Nullable(
    Type.String({
      description:
        "`after` for the next page. A page reads at most 100,000 lines, so a page before the last can be empty",
    }),
  ),
});
export type OperatorUsageLines = Static<typeof OperatorUsageLines>;

export const operatorUsageRoutes = {
  "GET /operator/usage": {
    summary: "Read the usage of all accounts, its cost and what they pay",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageQuery,
    answers: { 200: OperatorUsageList },
  },
  "GET /operator/usage/cache": {
    summary: "Read the cached share of the input of all accounts, and what it saved of the cost",
    operator: true,
    extension: true,
    query: OperatorPromptCacheQuery,
    answers: { 200: OperatorPromptCacheList },
  },
  "GET /operator/usage/export": {
    summary: "Download the usage of all accounts as a table",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with the sums of each UTC day") },
  },
  "GET /operator/usage/lines": {
    summary: "List the lines behind a sum, oldest first",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageLinesQuery,
    answers: { 200: OperatorUsageLines },
  },
} as const satisfies Routes;
