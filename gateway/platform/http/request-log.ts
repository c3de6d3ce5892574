import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Metadata } from "#contract/metadata.ts";
import type { CostReason } from "#contract/money/constants.ts";
import { decimalText } from "#contract/money/decimal.ts";
import { type ContentsState, clientRequestIdHeader, clientRequestIdLength } from "#contract/usage.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { createBatch } from "#gateway/platform/core/batch.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { isRejectedData } from "#gateway/platform/database/failed-query.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { rowGroups, unlessThere } from "#gateway/platform/database/write-rows.ts";
import { countLoad } from "#gateway/platform/figures/load.ts";
import { addFigures, additionOf, FigureSums } from "#gateway/platform/figures/sums.ts";
import type { App } from "./app.ts";
import { isLimitRefusal, loadOf } from "./limits.ts";
import { loggedFailure } from "./logged-failure.ts";
import { type Asked, countRequest, type LogRow, RefusalSums } from "./refusal-sums.ts";
import type { RunTrace } from "./run-trace.ts";
import { type Answered, whenAnswered } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** These fields are set while an operation runs, for the request log. */
    operationModel: string | null;
    operationRegion: string | null;
    /** Which upstreams the request's run has tried. */
    operationTrace: RunTrace | null;
    operationAlias: string | null;
    operationMetadata: Metadata | null;
    /** Whether the contents of the request's run are kept. */
    operationContents: ContentsState | null;
    /** A hash of the conversation that it belongs to; null if nothing names one. Made when the request is logged. */
    operationConversation: (() => string | null) | null;
    /** The operation's usage; while it streams, the usage so far. */
    operationUsage: (() => Usage) | null;
    /** The run of a sync operation once it has ended, and its cost. */
    operationRun: { priced: { charge: { amount: bigint } | null; reason: CostReason | null } } | null;
    /**
     * While an answer streams: resolves once its run has ended, which may be after the client disconnected.
     */
    operationEnding: Promise<void> | null;
  }
}

/** How long a row waits for the run of a stream whose client disconnected. */
const maxEndingMs = 5_000;

/** The columns of a row, most of which are equal in thousands of rows. */
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
    user_id: "text",
    usage_unit: "text",
    charge_reason: "text",
    from_session: "boolean",
    failed_tries: "jsonb",
    guards: "jsonb",
    upstream_key: "jsonb",
    failure: "jsonb",
    contents: "text",
  },
  {
    id: "text",
    at: "timestamptz",
    duration_ms: "double precision",
    usage_quantity: "double precision",
    charge: "numeric",
    run_id: "text",
    bytes_in: "double precision",
    bytes_out: "double precision",
    tokens_out: "integer",
    asked_ms: "double precision",
    first_ms: "double precision",
    answered_ms: "double precision",
    client_request_id: "text",
    conversation: "text",
  },
);

/**
 * Writes one row per authenticated API request: the request, its outcome and its duration. Requests rejected
 * by a limit are added up.
 */
export function installRequestLog(app: App, context: PlatformContext): void {
  app.decorateRequest("operationAsked", null);
  app.decorateRequest("operationSchema", null);
  app.decorateRequest("operationModel", null);
  app.decorateRequest("operationRegion", null);
  app.decorateRequest("operationTrace", null);
  app.decorateRequest("operationAlias", null);
  app.decorateRequest("operationMetadata", null);
  app.decorateRequest("operationContents", null);
  app.decorateRequest("operationConversation", null);
  app.decorateRequest("operationUsage", null);
  app.decorateRequest("operationRun", null);
  app.decorateRequest("operationEnding", null);
  const batch = createBatch("request log", context.log, (rows: LoggedRequest[]) =>
    writeLog(context.database, rows),
  );
  const refusals = new RefusalSums(context.database.queries, context.log);
  /** Rows that wait for the end of their run. */
  const ending = new Set<Promise<void>>();
  whenAnswered(app, (answered) => {
    const at = new Date(clock.now() - answered.ms);
    const { operationEnding: end } = answered.request;
    if (end === null) return add(answered, at);
    const added = Promise.race([end, sleep(maxEndingMs, undefined, { ref: false })]).then(() => {
      ending.delete(added);
      add(answered, at);
    });
    ending.add(added);
  });
  const add = (answered: Answered, at: Date): void => {
    const { request, reply } = answered;
    const { actor } = request;
    if (request.inner?.actor) return;
    // Routes for load balancers say nothing of who loads the system.
    if (actor || !request.route.config?.healthCheck) countRequestLoad(request, reply);
    if (!actor) return;
    const row = rowOf(context, answered, actor, at);
    if (isLimitRefusal(request.failure?.code)) refusals.add(row);
    else batch.add(row);
  };
  app.addHook("onClose", async () => {
    await Promise.all(ending);
    await batch.close();
    await refusals.close();
  });
}

type LoggedRequest = LogRow & Asked;

/** The row of a request that was answered; `at`: when it arrived. */
function rowOf(
  { retention }: PlatformContext,
  { request, reply, status, ms }: Answered,
  actor: Actor,
  at: Date,
): LoggedRequest {
  const { operationTrace: trace } = request;
  const usage = request.operationUsage?.() ?? null;
  const run = request.operationRun;
  const charge = run?.priced.charge;
  return {
    id: request.id,
    at,
    account_id: actor.accountId,
    method: request.method,
    route: request.route.url ?? "",
    status,
    code: request.failure?.code ?? null,
    model: request.operationModel,
    region: request.operationRegion,
    provider: trace?.provider ?? null,
    alias: request.operationAlias,
    metadata: request.operationMetadata && JSON.stringify(request.operationMetadata),
    key_id: actor.kind === "key" ? actor.id : null,
    user_id: actor.userId,
    duration_ms: Math.round(ms * 10) / 10,
    usage_unit: usage?.unit ?? null,
    usage_quantity: usage?.quantity ?? null,
    charge: charge ? decimalText(charge.amount) : null,
    charge_reason: run?.priced.reason ?? null,
    from_session: actor.sessionId !== null,
    failed_tries: trace?.failures ? JSON.stringify(trace.failures) : null,
    guards: trace?.guards ? JSON.stringify(trace.guards) : null,
    upstream_key: trace?.key ? JSON.stringify(trace.key) : null,
    run_id: trace?.runId ?? null,
    bytes_in: sizeOf(request.headers["content-length"]),
    bytes_out: trace?.bytesOut ?? sizeOf(reply.getHeader("content-length")),
    tokens_out: trace?.tokensOut ?? null,
    asked_ms: trace?.askedMs ?? null,
    first_ms: trace?.firstMs ?? null,
    answered_ms: trace?.answeredMs ?? null,
    // The sentence may repeat the input, so an account with a shorter retention has only its code.
    failure:
      request.failure && retention.minutesOf(actor.accountId) === null
        ? JSON.stringify(loggedFailure(request))
        : null,
    contents: trace?.runId ? request.operationContents : null,
    client_request_id: clientRequestIdOf(request.headers),
    conversation: trace?.runId ? (request.operationConversation?.() ?? null) : null,
    tokens_cached: trace?.tokensCached ?? null,
    actor_id: actor.id,
    of_operation: request.route.config.operation === true,
  };
}

/**
 * Writes rows and counts them, in one statement. After a broken connection they may be written again: then
 * only missing ones are counted.
 */
export async function writeLog(database: Database, rows: readonly LoggedRequest[]): Promise<void> {
  const insert = sql`insert into request_logs (${logGroups.columns}) ${logGroups.select(rows)}`;
  try {
    await database.queries.execute(sql`with logged as (${insert}) ${additionOf(figuresOf(rows))}`);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await database.transaction(async (queries) => {
      const written = await queries.execute<{ id: string }>(sql`${insert} ${unlessThere} returning id`);
      const ids = new Set(written.rows.map(({ id }) => id));
      await addFigures(queries, figuresOf(rows.filter(({ id }) => ids.has(id))));
    });
  }
}

function figuresOf(rows: readonly LoggedRequest[]): FigureSums {
  const sums = new FigureSums();
  for (const row of rows) countRequest(sums, row);
  return sums;
}

/** The caller's own id of a request. One that is longer, or has other characters than visible ASCII, is not logged. */
function clientRequestIdOf({ [clientRequestIdHeader]: id }: IncomingHttpHeaders): string | null {
  return typeof id === "string" && clientRequestId.test(id) ? id : null;
}

const clientRequestId = new RegExp(`^[\\x21-\\x7e]{1,${clientRequestIdLength}}$`);

/**
 * Counts a request as load. A body that has not arrived whole, such as one that was refused unread, has no bytes, nor
 * has an answer that was not sent: otherwise anybody could announce many, and would seem to use all the processor time.
 */
function countRequestLoad(request: FastifyRequest, reply: FastifyReply): void {
  const { actor, headers, method, raw, operationTrace: trace } = request;
  const isSent = reply.raw.writableFinished && method !== "HEAD";
  const { model, provider, region, operation } = loadOf(request);
  // Named one by one: every request makes this object, and spreading takes several times as long.
  countLoad({
    accountId: actor?.accountId ?? "",
    keyId: actor?.id ?? "",
    model,
    provider,
    region,
    operation,
    bytesIn: raw.complete ? sizeOf(headers["content-length"]) : null,
    bytesOut: trace?.bytesOut ?? (isSent ? sizeOf(reply.getHeader("content-length")) : null),
  });
}

/** The size in `content-length`; a chunked body has none. */
function sizeOf(length: unknown): number | null {
  const bytes = Number(length ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

export const requestLogSweep = agedRowSweep({
  kind: "request_log",
  table: "request_logs",
  idKind: "request",
  at: "at",
  days: ({ history }) => history.requestLogDays,
});
