import { and, desc, eq, gte, isNotNull, isNull, lte, type SQL } from "drizzle-orm";
import { Type } from "typebox";
import { RequestList, UsageList } from "#contract/account.ts";
import { PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { requestLogs, usageDaily } from "#gateway/database/schema.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
/** More rows than 32 models × a quarter of days cannot be useful in one answer. */
const maxUsageRows = 5_000;

/** Metered quantities and the request log: extensions. */
export function usageRoutes(app: App, context: Context): void {
  app.get(
    "/usage",
    {
      config: { scope: "usage", extension: true },
      schema: {
        querystring: Type.Object({
          from: Type.Optional(Day),
          to: Type.Optional(Day),
          model: Type.Optional(Type.String()),
          key_id: Type.Optional(Type.String()),
        }),
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
      config: { scope: "usage", extension: true },
      schema: {
        querystring: Type.Interface([PageQuery], {
          status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599 })),
          code: Type.Optional(Type.String()),
          model: Type.Optional(Type.String()),
          key_id: Type.Optional(Type.String()),
          actor: Type.Optional(
            Type.Union([Type.Literal("key"), Type.Literal("user")], {
              description: "Programs with a key, or signed-in people: the console reads a lot for them.",
            }),
          ),
        }),
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
      }));
    },
  );
}

function optional<Value>(value: Value | undefined, condition: (value: Value) => SQL): SQL[] {
  return value === undefined ? [] : [condition(value)];
}
