import type { ApiType } from "#contract/catalog.ts";
import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import { timeOfId } from "#contract/ids.ts";
import type { AskedGuard } from "#contract/usage.ts";
import type { CallbackEvent } from "#contract/webhook-constants.ts";
import { keptCharge, nothingBilled } from "#gateway/billing/prices/price-lines.ts";
import { pricedRun, type RunUsage, usageLines } from "#gateway/billing/usage/lines.ts";
import { recordUsage } from "#gateway/billing/usage/record.ts";
import { type CallbackNews, emitCallback } from "#gateway/events/webhooks/callbacks.ts";
import {
  deliveriesChannel,
  type EmittedEvent,
  emitEvent,
  eventsChannel,
} from "#gateway/events/webhooks/events.ts";
import { emitReached } from "#gateway/events/webhooks/news.ts";
import { attestationsToLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { isUpstreamFailure } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import { countLoad } from "#gateway/platform/figures/load.ts";
import { addFigures, countRun, countTry, FigureSums } from "#gateway/platform/figures/sums.ts";
import type { EndedJob } from "#gateway/platform/telemetry/telemetry.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { takeFacts, withHashes } from "#gateway/runs/provenance/receipts/receipts.ts";
import { type MadeBy, recordOutputs } from "#gateway/runs/provenance/record.ts";
import { timelineRow } from "./remove-data.ts";
import { keysOutside, removeRunDirectory } from "./run-files.ts";
import { type PredictionRow, predictionView } from "./view.ts";

/** What a run made and used. */
interface Made {
  outputs: StoredOutput[];
  usage: Usage;
}

/** `ran`: what it made, which the account pays although guards refused it. `guards`: what they said. */
export type Outcome = (
  | ({ status: "succeeded" } & Made)
  | { status: "failed"; code: ErrorCode; message: string; ran?: Made }
  | { status: "canceled"; by: string }
) & { guards?: readonly AskedGuard[] };

function madeIn(outcome: Outcome): Made | null {
  if (outcome.status === "succeeded") return outcome;
  return (outcome.status === "failed" && outcome.ran) || null;
}

/**
 * Ends a prediction: terminal state, outputs, usage, its one event and the event's deliveries, in one
 * transaction. Returns the settled row, or null when it was terminal already, or another process stores its
 * outputs (then nothing changed).
 */
export function settle(context: RunsContext, id: string, outcome: Outcome): Promise<PredictionRow | null> {
  const { telemetry } = context;
  if (!telemetry) return settleOnce(context, id, outcome);
  const facts = { "gatehouse.run.id": id, "gatehouse.status": outcome.status };
  return telemetry.span("settle", facts, async () => {
    const row = await settleOnce(context, id, outcome);
    if (row) telemetry.jobEnded(endedJob(row, outcome));
    return row;
  });
}

async function settleOnce(context: RunsContext, id: string, outcome: Outcome): Promise<PredictionRow | null> {
  const gatesOf = await attestationsToLook(context);
  const settled = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .select()
      .from(predictions)
      .where(and(eq(predictions.id, id), inArray(predictions.status, ["starting", "processing"])))
      .for("update")
      .prepare("prediction to settle")
      .execute();
    if (!row || isOfOtherAttempt(row, outcome)) return null;
    const receipt = await takeFacts(gatesOf, {
      model: row.model,
      input: withHashes(row.input ?? {}, row.media),
      fileHashes: outcome.status === "succeeded" ? outcome.outputs.map(({ sha256 }) => sha256) : [],
    });
    const completedAt = clock.date();
    const expiresAt = new Date(completedAt.getTime() + context.retention.of(row.accountId));
    const usage = usageOf(context, row, outcome);
    const changes = {
      status: outcome.status,
      completedAt,
      expiresAt,
      progress: outcome.status === "succeeded" ? 100 : row.progress,
      leaseOwner: null,
      leaseExpiresAt: null,
      unchecked: null,
      ...outcomeColumns(outcome),
      ...(usage ? keptCharge(usage.priced) : nothingBilled),
      receipt,
      timeline: [...row.timeline, ...outcomeRows(outcome, completedAt)],
    };
    const done: PredictionRow = { ...row, ...changes };
    if (outcome.status === "succeeded")
      await recordOutputs(queries, { ...madeBy(done), runId: id, expiresAt }, outcome.outputs);
    const reservedMoney = row.reservedCost === null ? [] : [id];
    const reached = await recordUsage(queries, usage ? [usage] : [], { reservedMoney });
    await emitReached(queries, reached, context.config.retentionMs);
    await countPrediction(queries, done);
    // Events contain the result, not the input: only the caller may read the input.
    const { input: _, ...object } = predictionView(context, done, Clearance.full);
    const event = await emitEvent(queries, {
      accountId: row.accountId,
      type: `prediction.${outcome.status}`,
      subject: { predictionId: id },
      source: { model: row.model, keyId: row.keyId },
      object,
      once: `${id} ended`,
      retentionUntil: expiresAt,
      traceParent: context.telemetry?.position() ?? null,
    });
    if (hasCallback(row)) await queueCallback(context, queries, done);
    // The event's body must not mention the event itself, so this timeline row is added after the event was
    // made.
    if (event) changes.timeline.push(emittedRow(event, completedAt));
    await executePrepared(
      queries,
      queries.update(predictions).set(changes).where(eq(predictions.id, id)).getSQL(),
    );
    return done;
  });
  if (!settled) return null;
  const code = outcome.status === "failed" ? outcome.code : "";
  counters.predictionsEnded.inc({ status: outcome.status, code });
  context.database.notify(deliveriesChannel);
  context.database.notify(eventsChannel, settled.accountId);
  context.changes.announce(id);
  await removeRunDirectory(context, id);
  context.log.info({ prediction: id, status: settled.status }, "prediction settled");
  return settled;
}

/**
 * Whether the request named a callback: the first timeline row shows it, so most predictions need no query.
 */
export function hasCallback({ timeline: [accepted] }: PredictionRow): boolean {
  return accepted?.detail?.callback !== undefined;
}

/** Queues the final event of a prediction for the callback that its request named. */
export async function queueCallback(
  context: RunsContext,
  queries: Queries,
  done: PredictionRow,
): Promise<void> {
  const events = done.status === "succeeded" ? (["output", "completed"] as const) : (["completed"] as const);
  for (const event of events) await emitCallback(context, queries, callbackNews(context, done, event));
}

/** The event that a request's callback gets about its prediction. */
export function callbackNews(context: RunsContext, row: PredictionRow, event: CallbackEvent): CallbackNews {
  const isLast = event === "completed";
  return {
    ...{
      subjectId: row.id,
      predictionId: row.id,
      accountId: row.accountId,
      models: [row.model],
      event,
      isLast,
    },
    type: isLast ? `prediction.${row.status}` : `prediction.${event}`,
    object: (clearance, shape) => {
      const { input, ...whole } = predictionView(context, row, clearance);
      // As at Replicate, the outputs come while the prediction still runs; the end has an event of its own.
      const object =
        event === "output" ? { ...whole, status: "processing", completed_at: null, metrics: {} } : whole;
      return shape === "prediction" ? { input, ...object } : object;
    },
    once: `${row.id} callback ${event}`,
    // The start of a run whose account keeps little is not told for longer than that.
    retentionUntil:
      row.expiresAt ??
      new Date(Math.min(row.deadlineAt.getTime(), clock.now() + context.retention.of(row.accountId))),
    traceParent: context.telemetry?.position() ?? null,
  };
}

/** Whether another process has taken over the run and named its own files in the row. */
function isOfOtherAttempt(row: PredictionRow, outcome: Outcome): boolean {
  const made = madeIn(outcome);
  return made !== null && row.outputs !== null && keysOutside(made.outputs, row.outputs).length > 0;
}

/** The facts about the run by which its files can be listed. */
function madeBy(row: PredictionRow): MadeBy {
  const { accountId, model, apiType, svcRegion, sandbox, keyId, userId, metadata } = row;
  return { accountId, model, apiType: apiType as ApiType, svcRegion, sandbox, keyId, userId, metadata };
}

/** The part of a prediction's end that traces record. */
function endedJob(row: PredictionRow, outcome: Outcome): EndedJob {
  const codes = {
    succeeded: () => null,
    canceled: () => "canceled",
    failed: () => row.error?.code ?? "failed",
  };
  return {
    traceparent: row.traceParent,
    runId: row.id,
    accountId: row.accountId,
    model: row.model,
    apiType: row.apiType,
    provider: row.provider ?? "",
    region: row.svcRegion,
    startedAt: row.startedAt ?? row.createdAt,
    endedAt: row.completedAt ?? clock.date(),
    code: codes[outcome.status](),
    events: row.timeline.map(({ event, at }) => ({ name: event, at: new Date(at) })),
  };
}

/** The usage and cost of a prediction; null: nothing is billed. */
function usageOf({ prices }: RunsContext, row: PredictionRow, outcome: Outcome): RunUsage | null {
  const made = madeIn(outcome);
  if (made === null) return null;
  const { usage, outputs } = made;
  const run = {
    runId: row.id,
    accountId: row.accountId,
    keyId: row.keyId,
    userId: row.userId,
    model: row.model,
    apiType: row.apiType,
    provider: row.providerRef?.provider ?? "",
    region: row.svcRegion,
    admittedAtMs: timeOfId(row.id),
    sandbox: row.sandbox,
    metadata: row.metadata,
    batchId: row.batchId,
    lines: usageLines(usage, { input: row.input ?? {}, outputs }),
  };
  return pricedRun(prices.book, run, row.media);
}

function emittedRow({ id, deliveryIds }: EmittedEvent, at: Date) {
  return timelineRow("event_emitted", { event_id: id, deliveries: deliveryIds.length }, at);
}

function outcomeColumns(outcome: Outcome): Partial<PredictionRow> {
  switch (outcome.status) {
    case "succeeded":
      return {
        outputs: outcome.outputs,
        usageUnit: outcome.usage.unit,
        usageQuantity: outcome.usage.quantity,
      };
    case "failed":
      return {
        error: { code: outcome.code, message: outcome.message, type: errorCatalogue[outcome.code].type },
        ...(outcome.ran && {
          usageUnit: outcome.ran.usage.unit,
          usageQuantity: outcome.ran.usage.quantity,
        }),
      };
    case "canceled":
      return {};
  }
}

function outcomeRows(outcome: Outcome, at: Date) {
  const answers = outcome.guards?.map((asked) => guardRow(asked, at)) ?? [];
  return [...answers, ...endRows(outcome, at)];
}

/** What a guard said of a run. */
export function guardRow({ of, stage, result }: AskedGuard, at: Date) {
  return timelineRow("guard_answered", { of, stage, result }, at);
}

function endRows(outcome: Outcome, at: Date) {
  switch (outcome.status) {
    case "succeeded": {
      const sizeBytes = outcome.outputs.reduce((sum, output) => sum + output.sizeBytes, 0);
      return [
        timelineRow("output_stored", { files: outcome.outputs.length, size_bytes: sizeBytes }, at),
        timelineRow("succeeded", null, at),
      ];
    }
    case "failed":
      return [timelineRow("failed", { code: outcome.code, message: outcome.message }, at)];
    case "canceled":
      return [timelineRow("canceled", { by: outcome.by }, at)];
  }
}

/** nginx's status for a client that disconnected: the result is no longer wanted. */
const canceledStatus = 499;

/** Counts a prediction that has ended, in the transaction that ends it, and as load. */
async function countPrediction(queries: Queries, row: PredictionRow): Promise<void> {
  const sums = new FigureSums();
  const { accountId, model, createdAt, startedAt, completedAt } = row;
  const ended = completedAt ?? clock.date();
  const code = (row.error?.code ?? "") as ErrorCode | "";
  const status =
    row.status === "succeeded" ? 200 : code === "" ? canceledStatus : errorCatalogue[code].status;
  const provider = row.provider ?? "";
  const region = row.svcRegion;
  const answerMs = startedAt && ended.getTime() - startedAt.getTime();
  const outputs = row.outputs ?? [];
  const run = {
    ...{
      accountId,
      kind: "run" as const,
      model,
      operation: row.apiType,
      keyId: row.keyId ?? row.userId ?? "",
    },
    ...{ provider, region, status, code, answerMs },
    queueMs: startedAt && startedAt.getTime() - createdAt.getTime(),
    bytesIn: row.media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    bytesOut: outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  countRun(sums, run, ended.getTime());
  countLoad(run);
  // A failed start was counted when it happened.
  if (row.providerRef) {
    const upstream = code !== "" && isUpstreamFailure(code) ? code : "";
    const of = { accountId, provider, model, region, answerMs };
    countTry(sums, { ...of, code: upstream, status: upstream === "" ? 200 : status }, ended.getTime());
  }
  await addFigures(queries, sums);
}
