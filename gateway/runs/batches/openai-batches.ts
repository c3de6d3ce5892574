import { addAbortSignal, type Readable } from "node:stream";
import { type AttestationKind, attestationKinds } from "#contract/attestations.ts";
import {
  type Batch,
  type BatchList,
  type BatchQuery,
  batchLimits,
  openAiEndpoints,
} from "#contract/batches.ts";
import { compileBody } from "#contract/checks/request-check.ts";
import type { List } from "#contract/list.ts";
import {
  completionWindow,
  maxCustomIdLength,
  type OpenAiBatch,
  type OpenAiBatchCreate,
  OpenAiRequestLine,
} from "#contract/openai-batches.ts";
import { assertMayReadTable, unixSeconds } from "#gateway/files/uploads/read.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { parsed, recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { nothingCounted, refuseManyValues, refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import { validationError } from "#gateway/platform/http/validation.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { underNamesOf } from "#gateway/runs/execution/chat-front.ts";
import { type Admitted, noteWorkload, operationFor } from "#gateway/runs/operations/admit.ts";
import { withModel } from "#gateway/runs/operations/candidates.ts";
import { metadataOf } from "#gateway/runs/operations/metadata.ts";
import { readUploads, uploadNamed } from "#gateway/runs/operations/resolve-media-source.ts";
import { unitsAtMost } from "#gateway/runs/operations/with-budget.ts";
import { responsePlaces } from "#gateway/runs/responses/request.ts";
import { admitRow, type BatchCall, refuseInRow } from "./check-rows.ts";
import { asSentence, type NewBatch, type NewBatchCall, type NewRow, writeBatch } from "./create.ts";
import { errorOf, findBatch, listBatches, listShaped, viewOf } from "./read.ts";
import { type OpenAiBatchRequest, requestOfRow } from "./row-body.ts";
import { parsedObject } from "./sources.ts";
import type { BatchRecord } from "./view.ts";

/*
 * OpenAI's batch API: a file of requests for one endpoint. Stored like every other batch, but shown in
 * OpenAI's shape.
 */

/** Starts a batch from a file of requests. Throws as `checkLines` and `writeBatch`. */
export async function createOpenAiBatch(
  call: NewBatchCall,
  { endpoint, input_file_id: named, metadata }: OpenAiBatchCreate,
): Promise<OpenAiBatch | Batch> {
  const inputFileId = uploadNamed(named) ?? named;
  const openAi = { endpoint, inputFileId, metadata: metadataOf(metadata, undefined) };
  const checked = await checkLines(call, openAi);
  const asked: NewBatch = {
    ...checked,
    name: null,
    kind: "table",
    budgets: [],
    openAi,
    uploadId: inputFileId,
  };
  return inOwnShape(call.context, await writeBatch(call, asked));
}

/** The result of checking a file's lines: a line that cannot run becomes a failed row. */
type CheckedLines = Pick<NewBatch, "compiled" | "rows" | "columns" | "ignored" | "estimatedQuantity">;

/**
 * Reads the requests of a file line by line and checks each one as if it were sent now. Throws
 * `upload_not_usable` if the file is not JSON Lines, `input_too_large` for too many lines,
 * `request_too_large` for too many values, and the first line's error if no line names a model that can run.
 */
async function checkLines(
  { context, caller, left }: BatchCall,
  request: OpenAiBatchRequest,
): Promise<CheckedLines> {
  const { actor } = caller;
  const found = new Lines(context, actor, request);
  const pause = yieldToEventLoop(left);
  const file = addAbortSignal(left, await openFile(context, actor, request.inputFileId));
  for await (const line of linesOf(file)) {
    await pause();
    await found.add(line);
  }
  return found.checked();
}

/** A row whose model is null until it is known. */
type Line = Omit<NewRow, "model"> & { model: string | null };

class Lines {
  readonly #context: RunsContext;
  readonly #actor: Actor;
  readonly #request: OpenAiBatchRequest;
  readonly #rows: Line[] = [];
  readonly #columns = new Set<string>();
  readonly #ignored = new Set<string>();
  /** The line number of each `custom_id`. */
  readonly #named = new Map<string, number>();
  #counted = nothingCounted;
  /** The operation of the first line that names a model. */
  #compiled: CompiledOperation | null = null;
  #firstError: { line: number; error: ApiError } | null = null;
  #estimated: number | null = 0;

  constructor(context: RunsContext, actor: Actor, request: OpenAiBatchRequest) {
    this.#context = context;
    this.#actor = actor;
    this.#request = request;
  }

  async add({ line, content }: FileLine): Promise<void> {
    if (typeof content === "string" && content.trim() === "") return;
    const row = this.#rows.length + 1;
    if (row > batchLimits.maxRows) throw tooLong("requests", batchLimits.maxRows);
    const made: Line = { row, line, model: null, customId: null, input: null };
    this.#rows.push(made);
    try {
      await this.#check(made, line, content);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#firstError ??= { line, error };
      // A server error may have passed by the time the row runs, so the row is accepted.
      if (error.status < 500 || !made.input)
        Object.assign(made, { status: "failed", error: shortErrorOf(error), completedAt: clock.date() });
    }
    // All rows are in memory together, so all their values together are limited like the values of one body.
    if (made.input && typeof content === "string")
      this.#counted = { ...refuseManyValues(content, this.#counted), newNames: 0 };
  }

  async #check(made: Line, line: number, content: FileLine["content"]): Promise<void> {
    if (content instanceof ApiError) throw content;
    refuseManyValues(content);
    const { custom_id: customId, url, body } = await readLine(content, made);
    made.customId = customId;
    const before = this.#named.get(customId);
    if (before !== undefined)
      throw invalidParameter("custom_id", `custom_id must be unique in the file; line ${before} has it too.`);
    this.#named.set(customId, line);
    const { endpoint } = this.#request;
    if (url !== endpoint)
      throw invalidParameter("url", `url must be ${endpoint}, the endpoint of the batch.`);
    const { model: name, ...input } = body;
    if (typeof name !== "string")
      throw new ApiError("missing_parameter", "body.model is required.", { param: "body.model" });
    const { model = name } = await withModel(this.#context, this.#actor, { model: name });
    const apiType = openAiEndpoints[endpoint];
    const compiled = operationFor(this.#context, this.#actor, apiType, { model });
    this.#compiled ??= compiled;
    made.model = compiled.model.id;
    made.input = input;
    for (const name of Object.keys(input)) if (isColumn(name, this.#columns)) this.#columns.add(name);
    refuseInRow(input);
    noteWorkload(this.#actor, compiled, input);
    this.#accept(await this.#admit(compiled, input));
  }

  async #admit(compiled: CompiledOperation, input: Record<string, unknown>): Promise<Admitted> {
    const { api_type: apiType } = compiled.operation;
    const request = await requestOfRow(this.#context, this.#actor, compiled, input, this.#request);
    try {
      return await admitRow(this.#context, this.#actor, { apiType, ...request.input });
    } catch (error) {
      throw request.response ? underNamesOf(responsePlaces, error) : error;
    }
  }

  #accept(admitted: Admitted): void {
    for (const name of admitted.ignored)
      if (this.#ignored.size < batchLimits.maxIgnored) this.#ignored.add(name);
    const isOfUnit = admitted.compiled.operation.billing_unit === this.#compiled?.operation.billing_unit;
    const units = isOfUnit ? unitsAtMost(admitted) : 0;
    this.#estimated = units === null || this.#estimated === null ? null : this.#estimated + units;
  }

  checked(): CheckedLines {
    const compiled = this.#compiled;
    if (!compiled) throw this.#refusal();
    return {
      compiled,
      rows: this.#rows.map(({ model, ...row }) => ({ ...row, model: model ?? compiled.model.id })),
      columns: this.#columns,
      ignored: this.#ignored,
      estimatedQuantity: this.#estimated,
    };
  }

  /** The error when no line can run, so that there is no model for the batch. */
  #refusal(): ApiError {
    const param = "input_file_id";
    if (!this.#firstError)
      return invalidParameter(param, "The file has no requests. Write one JSON object per line.");
    const { line, error } = this.#firstError;
    return new ApiError(error.code, `Line ${line}: ${asSentence(error.message)} Nothing was started.`, {
      param,
    });
  }
}

/** Longer errors are cut: they can quote names of any length from the file. */
const maxErrorCharacters = 1_000;

function shortErrorOf({ code, message }: ApiError) {
  const isLong = message.length > maxErrorCharacters;
  return errorOf({
    code,
    message: isLong ? `${message.slice(0, maxErrorCharacters).toWellFormed()}…` : message,
  });
}

const lineCheck = compileBody(OpenAiRequestLine);

/** Reads a line's fields; keeps the caller's `custom_id` even if another field is wrong. */
async function readLine(content: string, made: Line): Promise<OpenAiRequestLine> {
  const fields = parsedObject(content);
  if (!fields)
    throw new ApiError("invalid_json", "The line is not a JSON object. Write one request per line.");
  const { custom_id: customId, body } = fields;
  // Errors are stored and may quote a line's text, so the text must be storable.
  await refuseUnstorable({ custom_id: customId });
  if (typeof customId === "string" && customId.length <= maxCustomIdLength) made.customId = customId;
  if (!lineCheck(fields)) throw validationError(lineCheck.errors ?? [], "row");
  await refuseUnstorable(body);
  return fields as OpenAiRequestLine;
}

/** Field names become columns of the results, within the limits of a table. */
function isColumn(name: string, { size }: ReadonlySet<string>): boolean {
  return size < batchLimits.maxColumns && name.length <= batchLimits.columnMaxLength;
}

async function openFile(context: RunsContext, actor: Actor, named: string): Promise<Readable> {
  const param = "input_file_id";
  const id = uploadNamed(named) ?? named;
  const upload = (await readUploads(context, actor.accountId, [id])).get(id);
  const refuse = (why: string) =>
    new ApiError("upload_not_usable", `${param}: the file ${id} ${why}.`, { param });
  if (!upload || "unusable" in upload) throw refuse(upload?.unusable ?? "does not exist");
  await assertMayReadTable(context.database.queries, actor, id);
  if (upload.contentType !== "application/jsonl")
    throw refuse(
      `is ${upload.contentType}; it must be application/jsonl: give it a name that ends with .jsonl`,
    );
  const object = await context.store.get(upload.storageKey);
  if (!object) throw refuse("was removed");
  return object.stream;
}

/** The attestations that ask for models in a file of requests; all of them if it cannot be read. */
export async function gatesOfRequests(
  context: RunsContext,
  accountId: string,
  key: string,
): Promise<readonly AttestationKind[]> {
  const object = await context.store.get(key);
  const names = new Set<string>();
  const pause = yieldToEventLoop();
  try {
    for await (const { content } of object ? linesOf(object.stream) : []) {
      await pause();
      const { model } = recordOf(recordOf(parsed(String(content))).body);
      if (typeof model === "string") names.add(model);
    }
  } catch (error) {
    if (error instanceof ApiError) return attestationKinds;
    throw error;
  }
  const neededFor = await attestationsToLook(context);
  const models = await Promise.all(
    [...names].map(async (name) => (await context.aliases.find(accountId, name))?.models ?? [name]),
  );
  return models.flat().flatMap(neededFor);
}

interface FileLine {
  /** Counted from 1. */
  line: number;
  content: string | ApiError;
}

const newline = 10;

/** The lines of a file; only one is in memory at a time. */
async function* linesOf(file: Readable): AsyncGenerator<FileLine> {
  const { maxLineBytes, maxLines } = batchLimits;
  let pieces: Buffer[] = [];
  let bytes = 0;
  let line = 1;
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxLineBytes) pieces = [];
    else pieces.push(piece);
  };
  const end = (): FileLine => {
    const content = bytes > maxLineBytes ? lineTooLong() : decoded(Buffer.concat(pieces));
    pieces = [];
    bytes = 0;
    line += 1;
    return { line: line - 1, content };
  };
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        // Empty lines are only counted: a file may have many.
        if (at > from) take(chunk.subarray(from, at));
        if (bytes > 0) yield end();
        else line += 1;
        if (line > maxLines) throw tooLong("lines", maxLines);
        from = at + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
    }
    if (bytes > 0) yield end();
  } finally {
    file.destroy();
  }
}

function tooLong(what: "requests" | "lines", most: number): ApiError {
  return new ApiError(
    "input_too_large",
    `The file has more than ${most.toLocaleString("en")} ${what}, the most that a batch can have. Split it into several files.`,
    { param: "input_file_id" },
  );
}

function lineTooLong(): ApiError {
  const limit = batchLimits.maxLineBytes.toLocaleString("en");
  return new ApiError(
    "input_too_large",
    `The line has more than ${limit} bytes. Send large files as uploads.`,
  );
}

/** Drops the byte order mark that some programs write before the first line. */
function decoded(bytes: Buffer): string | ApiError {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new ApiError("invalid_json", "The line is not UTF-8 text. Save the file as UTF-8.");
  }
}

/** Shows a batch in the shape in which it was created: OpenAI's or ours. */
export async function inOwnShape(context: RunsContext, batch: BatchRecord): Promise<OpenAiBatch | Batch> {
  return shaped(batch, await viewOf(context, context.database.queries, batch));
}

/** The account's batch. Throws `batch_not_found`. */
export async function readInOwnShape(
  context: RunsContext,
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
  context: RunsContext,
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
