import { sql } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { createBatch } from "#gateway/database/batch.ts";
import type { Queries } from "#gateway/database/database.ts";
import { requestLogs } from "#gateway/database/schema.ts";
import { whenAnswered } from "./answered.ts";
import type { App } from "./app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the pipeline, for the request log. */
    operationModel: string | null;
    operationRegion: string | null;
  }
}

/** As the table names its columns. */
interface LogRow {
  id: string;
  account_id: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  model: string | null;
  region: string | null;
  key_id: string | null;
  duration_ms: number;
}

/** Keeps one row per authenticated API request: what was asked, how it ended, how long it took. */
export function installRequestLog(app: App, context: Context): void {
  app.decorateRequest("operationModel", null);
  app.decorateRequest("operationRegion", null);
  const batch = createBatch("request log", context.log, (rows: LogRow[]) =>
    writeLog(context.database.queries, rows),
  );
  whenAnswered(app, ({ request, status, ms }) => {
    const { actor } = request;
    if (!actor) return;
    batch.add({
      id: request.id,
      account_id: actor.accountId,
      at: new Date(Date.now() - ms),
      method: request.method,
      route: request.routeOptions.url ?? "",
      status,
      code: request.errorCode,
      model: request.operationModel,
      region: request.operationRegion,
      key_id: actor.kind === "key" ? actor.id : null,
      duration_ms: Math.round(ms * 10) / 10,
    });
  });
  app.addHook("onClose", () => batch.close());
}

/**
 * Writes any number of rows as one parameter: some thousand rows of parameters each are more than a statement may have.
 * Rows that a broken connection left in doubt may come twice.
 */
export async function writeLog(queries: Queries, rows: LogRow[]): Promise<void> {
  const text = JSON.stringify(rows);
  await queries.execute(
    sql`insert into ${requestLogs} select * from json_populate_recordset(null::${requestLogs}, ${text}::json)
      on conflict do nothing`,
  );
}
