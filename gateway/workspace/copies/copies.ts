import {
  type CopiesRetried,
  type Copy,
  type CopyAttempt,
  type CopyDetail,
  type CopyQuery,
  copyRoutes,
  maxCopyAttempts,
} from "#contract/copies.ts";
import { newId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { hasFile } from "#gateway/files/storage/remove-files.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { idsByKind } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, notInArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { copies, outputs } from "#gateway/platform/database/schema.ts";
import type { CopyTry } from "#gateway/platform/database/tables/workspace.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { fileToPassOn, findOutput } from "#gateway/runs/provenance/find-outputs.ts";
import { predictionOf } from "#gateway/runs/provenance/read.ts";
import type { OutputRow } from "#gateway/runs/provenance/record.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import {
  createDestination,
  deleteDestination,
  getDestination,
  listDestinations,
  lockActive,
  testDestination,
  trySettings,
  updateDestination,
} from "./destinations/destinations.ts";

/** Destinations, and the log of copies to them. */
export function installCopies(app: App, context: WorkspaceContext): void {
  serve(app, context, copyRoutes, {
    "POST /destinations": ({ caller, body }) => createDestination(context, caller, body),
    "GET /destinations": ({ caller, query }) => listDestinations(context, caller.actor.accountId, query),
    "POST /destinations/test": (request) => trySettings(context, request.caller, request.body),
    "GET /destinations/{id}": ({ caller, params }) =>
      getDestination(context, caller.actor.accountId, params.id),
    "PATCH /destinations/{id}": (request) =>
      updateDestination(context, request.caller, request.params.id, request.body),
    "DELETE /destinations/{id}": (request) => deleteDestination(context, request.caller, request.params.id),
    "POST /destinations/{id}/test": (request) => testDestination(context, request.caller, request.params.id),
    "POST /destinations/{id}/retry": (request) => retryAll(context, request.caller, request.params.id),
    "POST /outputs/{id}/copies": ({ caller, params, body }) =>
      requestCopy(context, caller, params.id, body.destination),
    "GET /copies": ({ caller, query }) => listCopies(context, caller.actor.accountId, query),
    "GET /copies/{id}": ({ caller, params }) => getCopy(context, caller.actor.accountId, params.id),
    "POST /copies/{id}/retry": ({ caller, params }) => retryCopy(context, caller, params.id),
  });
}

/** Copies retried per call. */
const retriedAtOnce = 1_000;

export type CopyRow = typeof copies.$inferSelect;

/**
 * Retries a failed copy, which then counts as requested by the caller. Throws `copy_not_found`,
 * `copy_not_retryable`, `destination_paused`, `file_barred`, `payload_purged`, and the errors of the model's gates.
 */
async function retryCopy(context: WorkspaceContext, caller: Caller, id: string): Promise<Copy> {
  const { actor } = caller;
  const { accountId } = actor;
  const { queries: reads } = context.database;
  const [copy] = await reads
    .select()
    .from(copies)
    .where(and(eq(copies.id, id), eq(copies.accountId, accountId)));
  if (!copy) throw copyNotFound(context, id);
  const output = await findOutput(reads, accountId, copy.outputId);
  await assertMayLook(context, actor, output.model);
  return audited(context, caller, "copy.retried", async (queries) => {
    await lockActive(queries, accountId, copy.destinationId);
    fileToPassOn(output);
    const [row] = await queries
      .update(copies)
      .set({ ...askedAgain, ...madeBy(actor) })
      .where(and(eq(copies.id, id), eq(copies.status, "failed")))
      .returning();
    if (!row)
      throw new ApiError(
        "copy_not_retryable",
        `Only failed copies can be retried; this one is ${copy.status}. To copy the file again, use POST /outputs/{id}/copies.`,
      );
    return {
      target: id,
      detail: { output_id: row.outputId, destination_id: row.destinationId },
      result: copyView(row, output),
    };
  });
}

function copyView(row: CopyRow, output: OutputRow): Copy {
  const isOpen = row.status === "pending";
  return {
    id: row.id,
    object: "copy",
    destination_id: row.destinationId,
    output_id: row.outputId,
    run_id: output.runId,
    prediction_id: predictionOf(output),
    model: output.model,
    content_type: output.contentType,
    size_bytes: output.sizeBytes,
    sha256: output.sha256,
    status: row.status,
    trigger: row.trigger,
    attempts: row.tries,
    max_attempts: maxCopyAttempts,
    last_error: row.status === "succeeded" || row.tries === 0 ? null : (row.attempts.at(-1)?.error ?? null),
    next_attempt_at: isOpen ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    object_name: row.objectName,
    created_at: row.createdAt.toISOString(),
    copied_at: row.copiedAt?.toISOString() ?? null,
  };
}

/**
 * Retries all failed copies at a destination whose file still exists. The caller's attestations are checked
 * when each is copied, so that one model does not block the others. Throws `destination_not_found`,
 * `destination_paused`.
 */
async function retryAll(
  { database }: WorkspaceContext,
  caller: Caller,
  destinationId: string,
): Promise<CopiesRetried> {
  const { actor } = caller;
  const { accountId } = actor;
  const retried = await audited({ database }, caller, "copies.retried", async (queries) => {
    await lockActive(queries, accountId, destinationId);
    const { rowCount } = await queries
      .update(copies)
      .set({ ...askedAgain, ...madeBy(actor) })
      .where(
        sql`${copies.id} = any (array(
          select c.id from ${copies} c
          where c.account_id = ${accountId} and c.destination_id = ${destinationId} and c.status = 'failed'
            and exists (select from ${outputs} where ${outputs.id} = c.output_id and ${hasFile})
          order by c.id limit ${retriedAtOnce} for update skip locked))`,
      );
    const count = rowCount ?? 0;
    if (count === 0) return { unchanged: 0 };
    return { target: destinationId, detail: { copies: count }, result: count };
  });
  return { object: "destination.retry", retried, has_more: retried === retriedAtOnce };
}

/**
 * Copies an output to a destination, even if it was copied there before; a waiting or running copy is
 * returned unchanged. Throws `output_not_found`, `destination_not_found`, `destination_paused`,
 * `file_barred`, `payload_purged`, and the errors of the model's gates.
 */
async function requestCopy(
  context: WorkspaceContext,
  caller: Caller,
  outputId: string,
  destinationId: string,
): Promise<Copy> {
  const { actor } = caller;
  const { accountId } = actor;
  const output = await findOutput(context.database.queries, accountId, outputId);
  fileToPassOn(output);
  await assertMayLook(context, actor, output.model);
  const row = await audited(context, caller, "copy.requested", async (queries) => {
    await lockActive(queries, accountId, destinationId);
    const [asked] = await queries
      .insert(copies)
      .values({
        id: newId("copy"),
        accountId,
        destinationId,
        outputId,
        trigger: "manual",
        ...madeBy(actor),
      })
      .onConflictDoUpdate({
        target: [copies.destinationId, copies.outputId],
        set: { ...askedAgain, trigger: "manual", ...madeBy(actor) },
        setWhere: notInArray(copies.status, ["pending", "copying"]),
      })
      .returning();
    if (!asked) return { unchanged: await underWay(queries, destinationId, outputId) };
    return {
      target: asked.id,
      detail: { output_id: outputId, destination_id: destinationId },
      result: asked,
    };
  });
  return copyView(row, output);
}

/** The state of a copy that was requested again. */
const askedAgain = {
  status: "pending",
  tries: 0,
  nextAttemptAt: sql`now()`,
  objectName: null,
  copiedAt: null,
} as const;

async function underWay(queries: Queries, destinationId: string, outputId: string): Promise<CopyRow> {
  const [row] = await queries
    .select()
    .from(copies)
    .where(and(eq(copies.destinationId, destinationId), eq(copies.outputId, outputId)));
  if (!row) throw new Error("The copy was neither inserted nor found");
  return row;
}

/** The log of copies, newest first. */
async function listCopies(
  { database: { queries } }: WorkspaceContext,
  accountId: string,
  query: CopyQuery,
): Promise<List<Copy>> {
  const { destination, status, output_id: outputId } = query;
  const page = keyset("copy", copies.id, query, [eq(copies.accountId, accountId)]);
  const wanted = (destinationId: SQL, ofStatus: SQL) => [
    destination === undefined ? undefined : eq(destinationId, destination),
    status === undefined ? undefined : eq(ofStatus, status),
  ];
  const parts = [copies.destinationId, copies.status];
  const idsOf = (page: Keyset) => idsByKind(copies, { accountId, parts, wanted, page });
  const ofOutput = ({ where }: Keyset) =>
    and(
      where,
      eq(copies.outputId, outputId ?? ""),
      ...wanted(sql`${copies.destinationId}`, sql`${copies.status}`),
    );
  const rows = await queries
    .select({ copy: copies, output: outputs })
    .from(copies)
    .innerJoin(outputs, eq(outputs.id, copies.outputId))
    .where(outputId === undefined ? inArray(copies.id, idsOf(page)) : ofOutput(page))
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, ({ copy, output }) => copyView(copy, output));
  return withTotal(queries, page, list, (whole) =>
    outputId === undefined ? idsOf(whole) : sql`select 1 from ${copies} where ${ofOutput(whole)}`,
  );
}

/** One copy with its attempts. Throws `copy_not_found`. */
async function getCopy(context: WorkspaceContext, accountId: string, id: string): Promise<CopyDetail> {
  const [found] = await context.database.queries
    .select({ copy: copies, output: outputs })
    .from(copies)
    .innerJoin(outputs, eq(outputs.id, copies.outputId))
    .where(and(eq(copies.id, id), eq(copies.accountId, accountId)));
  if (!found) throw copyNotFound(context, id);
  return copyDetail(found.copy, found.output);
}

function copyDetail(row: CopyRow, output: OutputRow): CopyDetail {
  return { ...copyView(row, output), attempt_log: row.attempts.map(attemptView) };
}

function attemptView({ at, durationMs, statusCode, error, serverCode }: CopyTry): CopyAttempt {
  return { at, duration_ms: durationMs, status_code: statusCode, error, server_code: serverCode };
}

function copyNotFound({ history }: WorkspaceContext, id: string): ApiError {
  return new ApiError("copy_not_found", `There is no such copy.${forgottenNote(history, "copy", id)}`);
}

/** The log of copies is kept as long as the log of deliveries. */
export const copyHistorySweep = agedRowSweep({
  kind: "copies",
  table: "copies",
  idKind: "copy",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "status in ('succeeded', 'failed')",
});
