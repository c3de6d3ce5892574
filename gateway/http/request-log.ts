import { sql } from "drizzle-orm";
import type { Metadata } from "#contract/metadata.ts";
import type { Context } from "#gateway/context.ts";
import { createBatch } from "#gateway/core/batch.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Usage } from "#gateway/core/usage.ts";
import type { Queries } from "#gateway/database/database.ts";
import { rowGroups } from "#gateway/database/row-groups.ts";
import { agedRowSweep } from "#gateway/database/row-sweep.ts";
import { writeNew } from "#gateway/database/write-new.ts";
import type { App } from "./app.ts";
import { isLimitRefusal } from "./limits.ts";
import type { LogRow } from "./log-row.ts";
import { RefusalSums } from "./refusal-sums.ts";
import { whenAnswered } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the pipeline, for the request log. */
    operationModel: string | null;
    operationRegion: string | null;
    operationProvider: string | null;
    operationAlias: string | null;
    operationMetadata: Metadata | null;
    /** The operation's usage; while it streams, the usage so far. */
    operationUsage: (() => Usage) | null;
  }
}

/** A row's columns, most of which are the same in thousands of rows. */
const logGroups = rowGroups(
  {
    account_id: "text",
    method: "text",
    route: "text",
    status: "integer",
    code: "text",
    model: "text",
    region: "text",
    provider: "text",
    alias: "text",
    metadata: "jsonb",
    key_id: "text",
    usage_unit: "text",
    from_session: "boolean",
  },
  { id: "text", at: "timestamptz", duration_ms: "double precision", usage_quantity: "double precision" },
);

/**
 * Keeps one row per authenticated API request: what was asked, how it ended, how long it took. Requests that a limit
 * rejected are added up.
 */
export function installRequestLog(app: App, context: Context): void {
  app.decorateRequest("operationModel", null);
  app.decorateRequest("operationRegion", null);
  app.decorateRequest("operationProvider", null);
  app.decorateRequest("operationAlias", null);
  app.decorateRequest("operationMetadata", null);
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
      provider: request.operationProvider,
      alias: request.operationAlias,
      metadata: request.operationMetadata && JSON.stringify(request.operationMetadata),
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

/** Rows may be written again after a broken connection. */
export async function writeLog(queries: Queries, rows: LogRow[]): Promise<void> {
  await writeNew((onConflict) =>
    queries.execute(
      sql`insert into request_logs (${logGroups.columns}) ${logGroups.select(rows)} ${onConflict}`,
    ),
  );
}

export const requestLogSweep = agedRowSweep({
  kind: "request_log",
  table: "request_logs",
  idKind: "request",
  at: "at",
  days: ({ history }) => history.requestLogDays,
});
