import { and, desc, eq, gte, isNotNull, isNull, lte, type SQL } from "drizzle-orm";
import { RequestList, RequestQuery, UsageList, UsageQuery } from "#contract/account.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { requestLogs, usageDaily } from "#gateway/database/schema.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";

/** About 32 models over a quarter of a year: more rows are of no use in one answer. */
const maxUsageRows = 5_000;

/** Metered quantities and the request log: extensions. */
export function usageRoutes(app: App, context: Context): void {
  app.get(
    "/usage",
    {
      config: { permission: "usage:read", extension: true },
      schema: {
        querystring: UsageQuery,
        response: { 200: UsageList },
      },
    },
    async (request) => {
      await context.meter.flush();
      const { from, to, model, key_id: keyId } = request.query;
      const rows = await context.database.queries
        .select()
        .from(usageDaily)
        .where(
          and(
            eq(usageDaily.accountId, actorOf(request).accountId),
            ...optional(from, (value) => gte(usageDaily.day, value)),
            ...optional(to, (value) => lte(usageDaily.day, value)),
            ...optional(model, (value) => eq(usageDaily.model, value)),
            ...optional(keyId, (value) => eq(usageDaily.keyId, value)),
          ),
        )
        .orderBy(desc(usageDaily.day), usageDaily.model)
        .limit(maxUsageRows);
      const data = rows.map(({ day, model: id, unit, keyId: key, quantity, requests }) => ({
        day,
        model: id,
        unit,
        key_id: key || null,
        quantity,
        requests,
      }));
      return { object: "list" as const, data };
    },
  );

  app.get(
    "/requests",
    {
      config: { permission: "requests:read", extension: true },
      schema: {
        querystring: RequestQuery,
        response: { 200: RequestList },
      },
    },
    async (request) => {
      const { status, code, model, key_id: keyId, actor } = request.query;
      const page = keyset(requestLogs.id, request.query, [
        eq(requestLogs.accountId, actorOf(request).accountId),
        ...optional(status, (value) => eq(requestLogs.status, value)),
        ...optional(code, (value) => eq(requestLogs.code, value)),
        ...optional(model, (value) => eq(requestLogs.model, value)),
        ...optional(keyId, (value) => eq(requestLogs.keyId, value)),
        ...optional(actor, (value) => (value === "key" ? isNotNull : isNull)(requestLogs.keyId)),
      ]);
      const rows = await context.database.queries
        .select()
        .from(requestLogs)
        .where(page.where)
        .orderBy(page.order)
        .limit(page.limit);
      return listOf(page, rows, (row) => ({
        id: row.id,
        object: "request" as const,
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
      }));
    },
  );
}

function optional<Value>(value: Value | undefined, condition: (value: Value) => SQL): SQL[] {
  return value === undefined ? [] : [condition(value)];
}
