import { isId, timeOfId, ulidOf } from "#contract/ids.ts";
import {
  type OperatorUsageLines,
  type OperatorUsageLinesQuery,
  type OperatorUsageList,
  type OperatorUsageQuery,
  type operatorUsageGroups,
  operatorUsageRoutes,
} from "#contract/operator/usage.ts";
import { dayOf } from "#gateway/billing/budgets/state.ts";
import { usageFile, usageFileNames } from "#gateway/billing/usage/export-usage.ts";
import { payersOf } from "#gateway/billing/usage/list-usage.ts";
import { readPromptCache } from "#gateway/billing/usage/prompt-cache.ts";
import {
  chargeOf,
  costOf,
  exact,
  groupsIn,
  readSums,
  type SumsWanted,
  whereOf,
} from "#gateway/billing/usage/sums.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, gte, lt, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { firstKeyAt, usageLineDays } from "#gateway/platform/database/partitions.ts";
import { usageLines, usageSums } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendCsv } from "#gateway/platform/http/csv-file.ts";
import { serve } from "#gateway/platform/http/serve.ts";

/** Usage and cost of all accounts. */
export function installOperatorUsage(app: App, context: ModelsContext): void {
  serve(app, context, operatorUsageRoutes, {
    "GET /operator/usage": (request) => listOperatorUsage(context, request.query),
    "GET /operator/usage/cache": async ({ query: { group_by: group = "model", ...query } }) => {
      await context.meter.flush();
      const wanted = await operatorSums(context.database.queries, query);
      return readPromptCache(context, wanted, group, "cost");
    },
    "GET /operator/usage/export": async ({ caller, query: { format = "csv", ...query } }, reply) => {
      await context.meter.flush();
      const wanted = await operatorSums(context.database.queries, query);
      const file = usageFile(context, { ...wanted, format, ofOperator: true });
      return sendCsv(reply, { actor: caller.actor, name: usageFileNames[format] }, file);
    },
    "GET /operator/usage/lines": (request) => listUsageLines(context, request.query),
  });
}

type Group = (typeof operatorUsageGroups)[number];
const usualGroups: readonly Group[] = ["day", "account", "model"];

/** The usage of all accounts: the operator's cost, the accounts' charges, and usage without a price. */
export async function listOperatorUsage(
  { config, database: { queries }, meter }: ModelsContext,
  query: OperatorUsageQuery,
): Promise<OperatorUsageList> {
  await meter.flush();
  const { currency } = config;
  const wanted = await operatorSums(queries, query);
  const { rows, hasMore, total } = await readSums(queries, wanted, groupsIn(query.group_by, usualGroups));
  return {
    object: "list",
    data: rows.map(({ cost, cost_not_priced, charge, charge_not_priced, ...row }) => {
      const sides = { cost, cost_not_priced, charge, charge_not_priced };
      return { ...row, cost: costOf(sides, currency), charge: chargeOf(sides, currency) };
    }),
    has_more: hasMore,
    total: {
      requests: total.requests,
      cost: costOf(total, currency),
      charge: chargeOf(total, currency),
    },
  };
}

type FilterName = "from" | "to" | "model" | "provider" | "batch_id" | "account_id" | "key_id" | "user_id";
type Filters = { [Name in FilterName]?: string | undefined };

/** The sums that the operators' filters select. */
async function operatorSums(
  queries: Queries,
  {
    from,
    to,
    model,
    provider,
    batch_id: batchId,
    account_id: accountId,
    key_id: keyId,
    user_id: userId,
  }: Filters,
): Promise<SumsWanted> {
  const payers = userId === undefined ? [] : [await payersOf(queries, accountId, userId)];
  if (keyId !== undefined) payers.push([keyId]);
  return { accountId, payers, from, to, model, provider, batchId, withFailedTries: true };
}

const usualLimit = 50;
/** A chat's run has about five lines; a page ends with a complete run. */
const maxLinesPerRun = 12;
/** A page reads at most this many lines, because the lines of one account can be rare among all lines. */
const maxLinesRead = 100_000;
const dayMs = 86_400_000;

/**
 * The usage lines of runs in a time range, ordered by run, several runs at once. Lines are indexed only by
 * run, so reading begins on the first day whose sums match the filters. Throws `missing_parameter` without a
 * time, and `invalid_cursor`.
 */
export async function listUsageLines(
  { database: { queries }, meter }: ModelsContext,
  query: OperatorUsageLinesQuery,
  maxRead = maxLinesRead,
): Promise<OperatorUsageLines> {
  const { day, after, limit = usualLimit, account_id: accountId, key_id: keyId, user_id: userId } = query;
  const { from = day, to = day, model, provider } = query;
  if (from === undefined)
    throw new ApiError("missing_parameter", "Send either `day`, or `from` and `to`.", { param: "day" });
  if (after !== undefined && !isId("generation", after) && !isId("prediction", after))
    throw new ApiError("invalid_cursor", "`after` must be the `next_after` of the previous page.", {
      param: "after",
    });
  await meter.flush();
  const [, start = from] = [from, after === undefined ? from : dayOf(timeOfId(after))].sort();
  const wanted = await operatorSums(queries, { ...query, from: start, to });
  const [days] = await queries
    .select({ first: sql<string | null>`min(day)`, last: sql<string | null>`max(day)` })
    .from(usageSums)
    .where(whereOf(wanted));
  if (!days?.first || !days.last) return { object: "list", data: [], has_more: false, next_after: null };
  const inTime = and(
    gte(usageLines.run, firstKeyAt(usageLineDays, Date.parse(days.first))),
    lt(usageLines.run, firstKeyAt(usageLineDays, Date.parse(days.last) + dayMs)),
    after === undefined ? undefined : gt(usageLines.run, ulidOf(after)),
  );
  const order = [asc(usageLines.run), asc(usageLines.kind)];
  // The last run that this page may contain.
  const [last] = await queries
    .select({ run: usageLines.run, prefix: usageLines.runPrefix })
    .from(usageLines)
    .where(inTime)
    .orderBy(...order)
    .offset(maxRead - 1)
    .limit(1);
  const rows = await queries
    .select()
    .from(usageLines)
    .where(
      and(
        inTime,
        last && lte(usageLines.run, last.run),
        accountId === undefined ? undefined : eq(usageLines.accountId, accountId),
        keyId === undefined ? undefined : eq(usageLines.keyId, keyId),
        userId === undefined ? undefined : eq(usageLines.userId, userId),
        model === undefined ? undefined : eq(usageLines.model, model),
        provider === undefined ? undefined : eq(usageLines.provider, provider),
      ),
    )
    .orderBy(...order)
    .limit(limit * maxLinesPerRun);
  const runs = [...new Map(rows.map(({ run, runPrefix }) => [run, `${runPrefix}_${run}`]))].slice(
    0,
    limit + 1,
  );
  const shown = new Map(runs.slice(0, limit));
  const next = runs.length > limit ? [...shown.values()].at(-1) : last && `${last.prefix}_${last.run}`;
  return {
    object: "list",
    data: rows
      .filter(({ run }) => shown.has(run))
      .map((row) => ({
        run_id: `${row.runPrefix}_${row.run}`,
        kind: row.kind,
        unit: row.unit,
        quantity: row.quantity,
        account_id: row.accountId,
        key_id: row.keyId,
        user_id: row.userId,
        model: row.model,
        provider: row.provider,
        region: row.region,
        cost: exact(row.cost),
        charge: exact(row.charge),
      })),
    has_more: next !== undefined,
    next_after: next ?? null,
  };
}
