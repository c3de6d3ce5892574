import { and, desc, eq, gte, lte, type SQL } from "drizzle-orm";
import { RequestList, RequestQuery, UsageList, UsageQuery } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import { usageDaily } from "#gateway/database/schema.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { listRequests } from "./list-requests.ts";

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
    (request) => listRequests(context, actorOf(request).accountId, request.query),
  );
}

function optional<Value>(value: Value | undefined, condition: (value: Value) => SQL): SQL[] {
  return value === undefined ? [] : [condition(value)];
}
