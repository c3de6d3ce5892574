import type { List } from "#contract/list.ts";
import type { RequestQuery, RequestRow } from "#contract/usage.ts";
import { costView } from "#gateway/billing/prices/cost-view.ts";
import type { Context } from "#gateway/context.ts";
import { idsByKind } from "#gateway/platform/database/by-kind.ts";
import { and, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import { requestKind, requestLogs } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";

/** The request log of an account, newest first. */
export async function listRequests(
  { database, prices }: Context,
  accountId: string,
  query: RequestQuery,
): Promise<List<RequestRow>> {
  const { code, key_id: keyId, user_id: userId, metadata } = query;
  const page = keyset("request", requestLogs.id, query, [
    eq(requestLogs.accountId, accountId),
    given(code, (value) => eq(requestLogs.code, value)),
    given(keyId, (value) => eq(requestLogs.keyId, value)),
    given(userId, (value) => eq(requestLogs.userId, value)),
    given(metadata, (pair) => hasPair(requestLogs.metadata, pair)),
  ]);
  const wanted = kindsWanted(query);
  const named = wanted(...requestKind).filter((condition) => condition !== undefined);
  // A code, a key, a member and metadata have indexes of their own.
  const isByKind = [code, keyId, userId, metadata].every((value) => value === undefined);
  const idsOf = (page: Keyset) => idsByKind(requestLogs, { accountId, parts: requestKind, wanted, page });
  const rows = await database.queries
    .select()
    .from(requestLogs)
    .where(isByKind ? inArray(requestLogs.id, idsOf(page)) : and(page.where, ...named))
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, (row) => requestView(row, prices.book.currency));
  return withTotal(database.queries, page, list, (whole) =>
    isByKind ? idsOf(whole) : sql`select 1 from ${requestLogs} where ${and(whole.where, ...named)}`,
  );
}

/** What a filter asks of the kind of a request. */
function kindsWanted({ status, status_class, route, model, actor, console_reads }: RequestQuery) {
  return (...[ofStatus, ofRoute, ofModel, isByPerson, isCall]: SQL[]): (SQL | undefined)[] => [
    given(status, (value) => sql`${ofStatus} = ${value}`),
    given(status_class, (value) => sql`${ofStatus} / 100 = ${Number(value[0])}`),
    given(route, (value) => sql`position(lower(${value}) in lower(${ofRoute})) > 0`),
    given(model, (value) => sql`${ofModel} = ${value}`),
    given(actor, (value) => sql`${isByPerson} = ${value === "user"}`),
    console_reads === false ? sql`${isCall}` : undefined,
  ];
}

function given<Value, Condition>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): Condition | undefined {
  return value === undefined ? undefined : condition(value);
}

export function requestView(row: typeof requestLogs.$inferSelect, currency: string): RequestRow {
  return {
    id: row.id,
    object: "request",
    at: row.at.toISOString(),
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    model: row.model,
    region: row.region,
    alias: row.alias,
    metadata: row.metadata,
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
