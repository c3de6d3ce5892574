import { eq, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { RequestQuery, RequestRow } from "#contract/account.ts";
import type { List } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { firstIdFrom, keyset, listOf } from "#gateway/database/keyset.ts";
import { noConsoleRead, requestLogs } from "#gateway/database/schema.ts";

/** The request log of an account, newest first. */
export async function listRequests(
  { database }: Context,
  accountId: string,
  query: RequestQuery,
): Promise<List<RequestRow>> {
  const { status, status_class: statusClass, code, route, model, key_id: keyId, actor } = query;
  const { created_after: after, created_before: before } = query;
  const page = keyset(requestLogs.id, query, [
    eq(requestLogs.accountId, accountId),
    given(status, (value) => eq(requestLogs.status, value)),
    given(statusClass, (value) => sql`${requestLogs.status} / 100 = ${Number(value[0])}`),
    given(code, (value) => eq(requestLogs.code, value)),
    given(route, (value) => sql`position(lower(${value}) in lower(${requestLogs.route})) > 0`),
    given(model, (value) => eq(requestLogs.model, value)),
    given(keyId, (value) => eq(requestLogs.keyId, value)),
    given(actor, (value) => (value === "key" ? isNotNull : isNull)(requestLogs.keyId)),
    given(after, (value) => gte(requestLogs.id, firstIdFrom("request", "created_after", value))),
    given(before, (value) => lt(requestLogs.id, firstIdFrom("request", "created_before", value))),
    query.console_reads === false ? noConsoleRead : undefined,
  ]);
  const rows = await database.queries
    .select()
    .from(requestLogs)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return listOf(page, rows, requestView);
}

function given<Value, Condition>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): Condition | undefined {
  return value === undefined ? undefined : condition(value);
}

function requestView(row: typeof requestLogs.$inferSelect): RequestRow {
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
    key_id: row.keyId,
    duration_ms: row.durationMs,
    usage:
      row.usageUnit !== null && row.usageQuantity !== null
        ? { unit: row.usageUnit, quantity: row.usageQuantity }
        : null,
  };
}
