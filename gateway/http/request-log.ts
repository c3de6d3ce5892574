import { sql } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { createBatch } from "#gateway/core/batch.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Usage } from "#gateway/core/usage.ts";
import type { Queries } from "#gateway/database/database.ts";
import { type Columns, rowsAsJson, valuesIn } from "#gateway/database/row-arrays.ts";
import { agedRowSweep } from "#gateway/database/row-sweep.ts";
import { whenAnswered } from "./answered.ts";
import type { App } from "./app.ts";
import type { LogRow } from "./log-row.ts";
import { isLimitRefusal, RefusalSums } from "./refusal-sums.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the pipeline, for the request log. */
    operationModel: string | null;
    operationRegion: string | null;
    /** The operation's usage; while it streams, the usage so far. */
    operationUsage: (() => Usage) | null;
  }
}

const columns: Columns<LogRow> = {
  id: "text",
  account_id: "text",
  at: "timestamptz",
  method: "text",
  route: "text",
  status: "integer",
  code: "text",
  model: "text",
  region: "text",
  key_id: "text",
  duration_ms: "double precision",
  usage_unit: "text",
  usage_quantity: "double precision",
  from_session: "boolean",
};
const insertInto = sql.raw(`insert into request_logs (${Object.keys(columns)})`);
const values = sql.raw(valuesIn("a", columns));

/**
 * Keeps one row per authenticated API request: what was asked, how it ended, how long it took. Requests that a limit
 * rejected are added up.
 */
export function installRequestLog(app: App, context: Context): void {
  app.decorateRequest("operationModel", null);
  app.decorateRequest("operationRegion", null);
  app.decorateRequest("operationUsage", null);
  const batch = createBatch("request log", context.log, (rows: LogRow[]) =>
    writeLog(context.database.queries, rows),
  );
  const refusals = new RefusalSums(context.database.queries, context.log);
  whenAnswered(app, ({ request, status, ms }) => {
    const { actor } = request;
    if (!actor) return;
    const usage = request.operationUsage?.() ?? null;
    const row = {
      account_id: actor.accountId,
      method: request.method,
      route: request.routeOptions.url ?? "",
      status,
      code: request.errorCode,
      model: request.operationModel,
      region: request.operationRegion,
      key_id: actor.kind === "key" ? actor.id : null,
      duration_ms: Math.round(ms * 10) / 10,
      usage_unit: usage?.unit ?? null,
      usage_quantity: usage?.quantity ?? null,
      from_session: actor.sessionId !== null,
    };
    if (isLimitRefusal(request.errorCode)) refusals.add(row);
    else batch.add({ id: request.id, at: new Date(clock.now() - ms), ...row });
  });
  app.addHook("onClose", async () => {
    await batch.close();
    await refusals.close();
  });
}

/**
 * Writes any number of rows as one parameter, because a statement's number of parameters is limited. Rows may be
 * written again after a broken connection.
 */
export async function writeLog(queries: Queries, rows: LogRow[]): Promise<void> {
  await queries.execute(
    sql`${insertInto} select ${values} from jsonb_array_elements(${rowsAsJson(columns, rows)}::jsonb) as a
      on conflict do nothing`,
  );
}

export const requestLogSweep = agedRowSweep({
  kind: "request_log",
  table: "request_logs",
  idKind: "request",
  at: "at",
  days: ({ history }) => history.requestLogDays,
});
