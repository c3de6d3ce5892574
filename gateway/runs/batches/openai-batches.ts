import type { Batch, BatchList, BatchQuery } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import { completionWindow, type OpenAiBatch, type OpenAiBatchCreate } from "#contract/openai-batches.ts";
import type { Context } from "#gateway/context.ts";
import type { AskedCallback } from "#gateway/events/webhooks/callbacks.ts";
import { unixSeconds } from "#gateway/files/uploads/view.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { metadataOf } from "#gateway/runs/operations/metadata.ts";
import { uploadNamed } from "#gateway/runs/operations/resolve-media-source.ts";
import { writeBatch } from "./create.ts";
import { checkLines } from "./openai-lines.ts";
import { findBatch, listBatches, listShaped, viewOf } from "./read.ts";
import type { BatchRecord } from "./view.ts";

/*
 * OpenAI's batch API: a file of requests for one endpoint. Stored like every other batch, but shown in
 * OpenAI's shape.
 */

/** Starts a batch from a file of requests. Throws as `checkLines` and `writeBatch`. */
export async function createOpenAiBatch(
  context: Context,
  caller: Caller,
  { endpoint, input_file_id: named, metadata }: OpenAiBatchCreate,
  beforeWriting: () => Promise<void>,
  callback?: AskedCallback,
): Promise<OpenAiBatch | Batch> {
  const inputFileId = uploadNamed(named) ?? named;
  const openAi = { endpoint, inputFileId, metadata: metadataOf(metadata, undefined) };
  const checked = await checkLines(context, caller.actor, openAi);
  const batch = await writeBatch(
    context,
    caller,
    { ...checked, name: null, kind: "table", budgets: [], openAi },
    beforeWriting,
    callback,
  );
  return inOwnShape(context, batch);
}

/** Shows a batch in the shape in which it was created: OpenAI's or ours. */
export async function inOwnShape(context: Context, batch: BatchRecord): Promise<OpenAiBatch | Batch> {
  return shaped(batch, await viewOf(context, context.database.queries, batch));
}

/** The account's batch. Throws `batch_not_found`. */
export async function readInOwnShape(
  context: Context,
  accountId: string,
  id: string,
): Promise<OpenAiBatch | Batch> {
  return inOwnShape(context, await findBatch(context, accountId, id));
}

/**
 * OpenAI's clients list batches without filters, so an unfiltered list shows each batch in its own shape. A
 * list with a filter or `shape` uses this gateway's shape.
 */
export function listInOwnShapes(
  context: Context,
  actor: Actor,
  query: BatchQuery,
): Promise<BatchList | List<OpenAiBatch | Batch>> {
  const { limit: _limit, after: _after, ...filters } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return isFiltered
    ? listBatches(context, actor, query)
    : listShaped(context, actor.accountId, query, shaped);
}

function shaped(batch: BatchRecord, view: Batch): OpenAiBatch | Batch {
  return batch.openAi && view.openai ? openAiBatch(batch, batch.openAi, view.openai, view) : view;
}

function openAiBatch(
  { id, createdAt, deadlineAt, finishedAt, reason, model }: BatchRecord,
  { endpoint, inputFileId }: NonNullable<BatchRecord["openAi"]>,
  { output_file_id, error_file_id, metadata }: NonNullable<Batch["openai"]>,
  { counts, status: ownStatus }: Batch,
): OpenAiBatch {
  const status = statusOf(ownStatus, reason?.code ?? null);
  const endedAs = (ended: OpenAiBatch["status"]) =>
    finishedAt && status === ended ? unixSeconds(finishedAt) : null;
  return {
    id,
    object: "batch",
    endpoint,
    input_file_id: inputFileId,
    completion_window: completionWindow,
    status,
    model,
    errors: reason && { object: "list", data: [{ ...reason, param: null, line: null }] },
    output_file_id,
    error_file_id,
    created_at: unixSeconds(createdAt),
    in_progress_at: unixSeconds(createdAt),
    expires_at: unixSeconds(deadlineAt),
    completed_at: endedAs("completed"),
    failed_at: endedAs("failed"),
    expired_at: endedAs("expired"),
    cancelled_at: endedAs("cancelled"),
    request_counts: { total: counts.total, completed: counts.succeeded, failed: counts.failed },
    metadata,
  };
}

/**
 * OpenAI's API has no paused state: a paused batch is shown as in progress, and `errors` gives the reason for
 * the pause.
 */
function statusOf(status: string, reason: string | null): OpenAiBatch["status"] {
  switch (status) {
    case "finished":
      return "completed";
    case "stopping":
      return reason === null ? "cancelling" : "finalizing";
    case "stopped":
      if (reason === null) return "cancelled";
      return reason === "batch_expired" ? "expired" : "failed";
    default:
      return "in_progress";
  }
}
