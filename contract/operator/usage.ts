import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { Amount } from "../money/cost.ts";
import { Nullable } from "../nullable.ts";
import { groupPattern, UsageCost, UsageExportQuery, UsageRow, usageFilters, usageGroups } from "../usage.ts";

export const operatorUsageGroups = ["account", ...usageGroups] as const;

/** Of all accounts, or of one. */
const filters = { ...usageFilters, account_id: Type.Optional(Type.String()) };

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

/** `cost` is what the operator pays, `charge` what the accounts pay. */
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
  { ...UsageExportQuery.properties, account_id: Type.Optional(Type.String()) },
  closed,
);
export type OperatorUsageExportQuery = Static<typeof OperatorUsageExportQuery>;

/** The rows behind a sum: one line of one run. They are removed with the history; the sums stay. */
export const OperatorUsageLinesQuery = Type.Object(
  {
    day: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Type.String()),
    after: Type.Optional(Type.String({ description: "`run_id` of the last one read" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
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
});
export type OperatorUsageLines = Static<typeof OperatorUsageLines>;
