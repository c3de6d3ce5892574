import type { List } from "#contract/list.ts";
import {
  type MetadataUsageList,
  type MetadataUsageQuery,
  type MetadataUsageRow,
  type RequestDetail,
  type RequestFilter,
  type RequestQuery,
  RequestRow,
  usageRoutes,
} from "#contract/usage.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import { costView } from "#gateway/billing/prices/price-lines.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { beyondIds, idsByKind } from "#gateway/platform/database/account-rows.ts";
import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  lte,
  or,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import {
  failedModel,
  requestKind,
  requestLogs,
  usageByMetadata as sums,
} from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendCsv, sendListAsCsv } from "#gateway/platform/http/csv-file.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { usageFile, usageFileNames } from "./export-usage.ts";
import { listUsage, sumsWanted } from "./list-usage.ts";
import { listPromptCache } from "./prompt-cache.ts";
import { runCost } from "./run-cost.ts";
import { chargeOf, type Sides } from "./sums.ts";

/** Metered quantities and the request log. All of these routes are extensions. */
export function installUsage(app: App, context: BillingContext): void {
  serve(app, context, usageRoutes, {
    "GET /usage": ({ caller, query }) => listUsage(context, caller.actor, query),
    "GET /usage/export": async ({ caller: { actor }, query: { format = "csv", ...query } }, reply) => {
      const wanted = await sumsWanted(context, actor, query);
      const file = usageFile(context, { ...wanted, format, ofOperator: false });
      return sendCsv(reply, { actor, permission: "usage:own", name: usageFileNames[format] }, file);
    },
    "GET /usage/cache": ({ caller, query }) => listPromptCache(context, caller.actor, query),
    "GET /usage/metadata": ({ caller, query }) => listMetadataUsage(context, caller.actor.accountId, query),
    "GET /runs/{id}/cost": ({ caller, params }) => runCost(context, caller.actor.accountId, params.id),
    "GET /requests": ({ caller, query }) => listRequests(context, caller.actor.accountId, query),
    "GET /requests/export": ({ caller: { actor }, query }, reply) =>
      sendListAsCsv(
        reply,
        { actor, permission: "requests:read", name: "requests", row: RequestRow },
        (page) => listRequests(context, actor.accountId, { ...query, ...page }),
      ),
    "GET /requests/{id}": ({ caller, params }) => getRequest(context, caller.actor.accountId, params.id),
  });
}

const usualLimit = 100;

type SummedRow = Omit<MetadataUsageRow, "cost"> & Pick<Sides, "charge" | "charge_not_priced">;

/**
 * Usage by the values of the account's summed metadata keys: the largest values of each key and unit, and the
 * rest as one row.
 */
async function listMetadataUsage(
  { config, database, meter }: BillingContext,
  accountId: string,
  { key, from, to, model, limit }: MetadataUsageQuery,
): Promise<MetadataUsageList> {
  await meter.flush();
  const where = and(
    eq(sums.accountId, accountId),
    key === undefined ? undefined : eq(sums.key, key),
    model === undefined ? undefined : eq(sums.model, model),
    from === undefined ? undefined : gte(sums.day, from),
    to === undefined ? undefined : lte(sums.day, to),
  );
  const { rows } = await database.queries.execute<SummedRow & Record<string, unknown>>(sql`
    with summed as (
      select key, value, unit, sum(quantity) as quantity, sum(requests) as requests, sum(charge) as charge,
        coalesce(sum(requests) filter (where charge is null), 0) as not_priced,
        row_number() over (partition by key, unit order by value = '', sum(quantity) desc, value) as nth
      from ${sums} where ${where}
      group by key, value, unit
    ), cut as (
      select key, case when value <> '' and nth <= ${limit ?? usualLimit}::int then value end as value, unit,
        sum(quantity)::float8 as quantity, sum(requests)::int as requests, sum(charge)::text as charge,
        sum(not_priced)::int as charge_not_priced
      from summed group by 1, 2, 3
    )
    select * from cut order by key, unit, value is null, quantity desc, value`);
  return {
    object: "list",
    data: rows.map(({ charge, charge_not_priced, ...row }) => ({
      ...row,
      cost: chargeOf({ charge, charge_not_priced }, config.currency),
    })),
  };
}

/** The request log of an account, newest first. */
export async function listRequests(
  { database, prices }: BillingContext,
  accountId: string,
  query: RequestQuery,
): Promise<List<RequestRow>> {
  const withIndexes = columnsWanted(query);
  const page = keyset("request", requestLogs.id, query, [
    eq(requestLogs.accountId, accountId),
    ...withIndexes,
    query.runs ? isNotNull(requestLogs.runId) : undefined,
  ]);
  const { model, ...others } = query;
  const wanted = kindsWanted(query);
  const besideModel = kindsWanted(others)(...requestKind);
  const named = isOfKinds(query);
  const isByKind = withIndexes.every((condition) => condition === undefined);
  const idsOf = (page: Keyset) => {
    const ran = idsByKind(requestLogs, { accountId, parts: requestKind, wanted, page });
    return model === undefined ? ran : sql`(${ran} union all ${idsThatNamed(model, page, besideModel)})`;
  };
  const rows = await database.queries
    .select()
    .from(requestLogs)
    .where(isByKind ? inArray(requestLogs.id, idsOf(page)) : and(page.where, named))
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, (row) => requestView(row, prices.book.currency));
  return withTotal(database.queries, page, list, (whole) =>
    isByKind ? idsOf(whole) : sql`select 1 from ${requestLogs} where ${and(whole.where, named)}`,
  );
}

/**
 * The ids of a page of failed requests that named this model. Callers make such names up, so they are in an index of
 * their own and not part of the kind. They are compared and ordered as `idsByKind` does, so that only this index can
 * provide the rows.
 */
function idsThatNamed(model: string, page: Keyset, others: (SQL | undefined)[]): SQL {
  const place = sql`(${failedModel}, ${requestLogs.id})`;
  const { from = "", below = beyondIds } = page.between;
  const direction = page.reversed ? sql`asc` : sql`desc`;
  const isPlaced = sql`${place} >= (${model}::text, ${from}::text) and ${place} < (${model}::text, ${below}::text)`;
  return sql`(select ${requestLogs.id} from ${requestLogs}
    where ${and(page.where, sql`${failedModel} is not null`, isPlaced, ...others)}
    order by ${failedModel} ${direction}, ${requestLogs.id} ${direction} limit ${page.limit})`;
}

/** The condition that a row of the log matches a filter. */
export function matchesRequest(filter: RequestFilter): SQL | undefined {
  return and(...columnsWanted(filter), isOfKinds(filter));
}

/** The conditions of a filter on columns with an index of their own. */
function columnsWanted({ code, key_id, user_id, metadata, ...others }: RequestFilter): (SQL | undefined)[] {
  const { client_request_id, conversation, contents } = others;
  return [
    given(code, (value) => eq(requestLogs.code, value)),
    given(key_id, (value) => eq(requestLogs.keyId, value)),
    given(user_id, (value) => eq(requestLogs.userId, value)),
    given(metadata, (pair) => hasPair(requestLogs.metadata, pair)),
    given(client_request_id, (value) => eq(requestLogs.clientRequestId, value)),
    given(conversation, (value) => eq(requestLogs.conversation, value)),
    given(contents, () => sql`contents = 'kept'`),
  ];
}

/** The condition of a filter on the kind of a request, or on the model that a failed request named. */
function isOfKinds({ model, ...others }: RequestFilter): SQL | undefined {
  return and(
    ...kindsWanted(others)(...requestKind),
    given(model, (value) => or(eq(requestLogs.model, value), eq(failedModel, value))),
  );
}

/** The conditions of a filter on the kind of a request. */
function kindsWanted({ status, status_class, route, model, actor, console_reads, runs }: RequestFilter) {
  return (...[ofStatus, ofRoute, ofModel, isByPerson, isCall]: SQL[]): (SQL | undefined)[] => [
    given(status, (value) => sql`${ofStatus} = ${value}`),
    given(status_class, (value) => isOfClass(ofStatus, Number(value[0]))),
    given(route, (value) => sql`position(lower(${value}) in lower(${ofRoute})) > 0`),
    given(model, (value) => sql`${ofModel} = ${value}`),
    given(actor, (value) => sql`${isByPerson} = ${value === "user"}`),
    // Kinds in which every request was refused, or none runs a model, are not read in search of a run.
    runs ? sql`${ofModel} <> '' and not ${ofStatus} between 400 and 428` : undefined,
    console_reads === false ? sql`${isCall}` : undefined,
  ];
}

/** For failures the condition repeats that of their partial index, so that the index is used. */
function isOfClass(status: SQL | undefined, hundreds: number): SQL {
  const isOf = sql`(${status} / 100) = ${hundreds}`;
  return hundreds < 4 ? isOf : sql`${isOf} and ${status} >= 400`;
}

function given<Value, Condition>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): Condition | undefined {
  return value === undefined ? undefined : condition(value);
}

function requestView(row: typeof requestLogs.$inferSelect, currency: string): RequestRow {
  return {
    id: row.id,
    object: "request",
    at: row.at.toISOString(),
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    message: row.failure?.message ?? null,
    param: row.failure?.param ?? null,
    model: row.model,
    wanted_model: row.failure?.model ?? null,
    region: row.region,
    alias: row.alias,
    metadata: row.metadata,
    client_request_id: row.clientRequestId,
    conversation: row.conversation,
    contents: row.contents,
    key_id: row.keyId,
    user_id: row.userId,
    duration_ms: row.durationMs,
    count: row.count ?? 1,
    run_id: row.runId,
    cost: costView(row, currency),
    usage:
      row.usageUnit !== null && row.usageQuantity !== null
        ? { unit: row.usageUnit, quantity: row.usageQuantity }
        : null,
  };
}

/** One request of an account. Throws `request_not_found`, also for one that was removed by age. */
async function getRequest(context: BillingContext, accountId: string, id: string): Promise<RequestDetail> {
  const [row] = await context.database.queries
    .select()
    .from(requestLogs)
    .where(and(eq(requestLogs.id, id), eq(requestLogs.accountId, accountId)));
  if (!row)
    throw new ApiError(
      "request_not_found",
      `There is no request ${id} in the log.${forgottenNote(context.history, "request", id)}`,
    );
  const {
    provider,
    bytesIn,
    bytesOut,
    tokensOut,
    askedMs,
    firstMs,
    answeredMs,
    failedTries,
    guards,
    upstreamKey,
  } = row;
  return {
    ...requestView(row, context.prices.book.currency),
    provider,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    tokens_out: tokensOut,
    asked_ms: askedMs,
    first_ms: firstMs,
    answered_ms: answeredMs,
    upstream_key: upstreamKey,
    failed_tries: failedTries ?? [],
    // Releases that asked only before runs wrote no stage.
    guards: (guards ?? []).map((asked) => ({ ...asked, stage: asked.stage ?? "input" })),
  };
}
