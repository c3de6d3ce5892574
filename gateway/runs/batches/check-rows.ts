import { addAbortSignal } from "node:stream";
import { type BatchCheckRequest, type BatchFault, batchLimits } from "#contract/batches.ts";
import { type ApiType, apiTypes } from "#contract/catalog-constants.ts";
import { paramAt } from "#contract/checks/request-check.ts";
import { decimalOf } from "#contract/money/decimal.ts";
import { enforceAttestations } from "#gateway/access/accounts/attestations/gates.ts";
import { assertMayReadTable } from "#gateway/files/uploads/read.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import {
  type Admitted,
  admit,
  noteWorkload,
  type OperationInput,
  operationFor,
} from "#gateway/runs/operations/admit.ts";
import { withModel } from "#gateway/runs/operations/candidates.ts";
import { readUploads, uploadNamed } from "#gateway/runs/operations/resolve-media-source.ts";
import { maxCharge, unitsAtMost } from "#gateway/runs/operations/with-budget.ts";
import { bodyOfRow, columnOfField } from "./row-body.ts";
import { fromCsv, fromJsonLines, fromRows, type Source, type SourceRow } from "./sources.ts";

interface CheckedRow extends SourceRow {
  model: string;
  /** The operation of a comparison's row; null: the row runs the batch's operation. */
  apiType: ApiType | null;
}

export interface CheckedBatch {
  compiled: CompiledOperation;
  rowsRead: number;
  /** Rows that can run. */
  rows: CheckedRow[];
  faults: BatchFault[];
  faultsTotal: number;
  /** Column names of all inputs, in order of first appearance. */
  columns: Set<string>;
  ignored: Set<string>;
  /** In units of the batch's model; null if the quantity of any row is unknown. */
  estimatedQuantity: number | null;
  /**
   * The most that the account pays for all rows, in 10^-12 of the currency; a string gives the reason if the
   * amount is unknown.
   */
  maxCharge: bigint | "not_priced" | "no_maximum";
}

/** A request that checks or creates a batch. */
export interface BatchCall {
  context: RunsContext;
  caller: Caller;
  /** Aborted when the client has left. */
  left: AbortSignal;
}

/**
 * Checks all rows as if each were sent now, and runs none. A problem with one row is reported as a fault. A
 * problem with the whole batch is thrown: an unknown model, and for a table a missing attestation, or an
 * operation that asks for a confirmation with each request. In a comparison each row has its own gates and
 * its own confirmation.
 */
export async function checkRows(call: BatchCall, request: BatchCheckRequest): Promise<CheckedBatch> {
  const { context, left } = call;
  const { actor } = call.caller;
  const { model: name = request.model } = await withModel(context, actor, { model: request.model });
  const isComparison = request.kind === "comparison";
  const compiled = operationOf(context, actor, { ...request, model: name });
  if (!isComparison) await assertGates(context, actor, compiled);
  const source = await readSource(call, request);
  if (isComparison) refuseUncomparable(request, source.rows.length);
  const found = new Findings(compiled, isComparison);
  for (const fault of source.faults) found.add(fault);
  found.checked.rowsRead = [...source.rows, ...source.faults].reduce(
    (last, { row }) => Math.max(last, row ?? 0),
    0,
  );
  const pause = yieldToEventLoop(left);
  for (const row of source.rows) {
    await pause();
    if (source.isText) await compiled.coerce(row.input);
    await found.check(context, actor, row, name);
  }
  await found.checkUploads(context, actor.accountId);
  return found.checked;
}

/** A comparison has few rows, and they are sent in the body, not as a file. */
function refuseUncomparable({ rows }: BatchCheckRequest, count: number): void {
  if (rows === undefined)
    throw invalidParameter("kind", "A comparison takes its inputs in `rows`: send one row for each model.");
  if (count > batchLimits.maxCompared)
    throw new ApiError(
      "input_too_large",
      `A comparison has at most ${batchLimits.maxCompared} rows. Compare fewer models.`,
      { param: "rows" },
    );
}

/** The operation of the batch. Throws as `operationFor`, and `missing_parameter`. */
function operationOf(
  context: RunsContext,
  actor: Actor,
  { model: id, api_type: apiType }: BatchCheckRequest,
): CompiledOperation {
  const kinds = context.catalog.model(id, actor.accountId)?.api_types ?? [];
  if (apiType === undefined && kinds.length > 1)
    throw new ApiError(
      "missing_parameter",
      `${id} has several operations. Set api_type: ${kinds.join(" or ")}.`,
      { param: "api_type" },
    );
  return operationFor(context, actor, apiType ?? null, { model: id });
}

/** A table's rows cannot be confirmed one by one, because some of them run much later. */
async function assertGates(context: RunsContext, actor: Actor, { model }: CompiledOperation): Promise<void> {
  const requirements = model.safety_requirements;
  if (requirements.per_request_person_rights_confirmation_required)
    throw new ApiError(
      "person_rights_confirmation_required",
      `${model.id} needs a confirmation with each request that every identifiable person agreed, so it cannot run in a batch. Send its requests one by one.`,
      { param: "model" },
    );
  await enforceAttestations(context, actor, requirements);
}

class Findings {
  readonly checked: CheckedBatch;
  /** The rows and fields that refer to each upload, by the upload's id. */
  private readonly uploads = new Map<string, BatchFault[]>();

  private readonly isComparison: boolean;

  constructor(compiled: CompiledOperation, isComparison: boolean) {
    this.isComparison = isComparison;
    this.checked = {
      compiled,
      rowsRead: 0,
      rows: [],
      faults: [],
      faultsTotal: 0,
      columns: new Set(),
      ignored: new Set(),
      estimatedQuantity: 0,
      maxCharge: 0n,
    };
  }

  add(fault: BatchFault): void {
    this.checked.faultsTotal += 1;
    if (this.checked.faults.length < batchLimits.maxFaults) this.checked.faults.push(fault);
  }

  async check(context: RunsContext, actor: Actor, source: SourceRow, batchModel: string): Promise<void> {
    const { checked } = this;
    const { model: own, ownType, input } = this.partsOf(source);
    for (const name of Object.keys(input)) checked.columns.add(name);
    let compiled = checked.compiled;
    try {
      await refuseUnstorable(input);
      refuseInRow(input);
      const apiType = apiTypeNamed(ownType) ?? compiled.operation.api_type;
      if (apiType !== compiled.operation.api_type || (own !== undefined && own !== batchModel)) {
        const named = await withModel(context, actor, { model: own ?? batchModel });
        compiled = operationFor(context, actor, apiType, named);
        if (!this.isComparison) await assertGates(context, actor, compiled);
      }
      noteWorkload(actor, compiled, input);
      const body = bodyOfRow(compiled, compiled.model.id, input);
      const admitted = await admitRow(context, actor, { apiType, body });
      this.accept(context, this.rowOf(source, input, compiled), admitted);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A server error may have passed by the time the row runs, so the row is accepted.
      if (error.status >= 500) checked.rows.push(this.rowOf(source, input, compiled));
      else for (const fault of faultsOf(error, source, compiled)) this.add(fault);
    }
  }

  /** Separates the row's model and operation from its input, for a comparison. */
  private partsOf({ input: { model, ...rest } }: SourceRow) {
    if (!this.isComparison) return { model, ownType: undefined, input: rest };
    const { api_type: ownType, ...input } = rest;
    return { model, ownType, input };
  }

  private rowOf(
    source: SourceRow,
    input: SourceRow["input"],
    { model, operation }: CompiledOperation,
  ): CheckedRow {
    return { ...source, input, model: model.id, apiType: this.isComparison ? operation.api_type : null };
  }

  private accept(context: RunsContext, row: CheckedRow, admitted: Admitted): void {
    const { checked } = this;
    checked.rows.push(row);
    for (const name of admitted.ignored)
      if (checked.ignored.size < batchLimits.maxIgnored) checked.ignored.add(name);
    const isOfUnit = admitted.compiled.operation.billing_unit === checked.compiled.operation.billing_unit;
    const units = isOfUnit ? unitsAtMost(admitted) : 0;
    checked.estimatedQuantity =
      units === null || checked.estimatedQuantity === null ? null : checked.estimatedQuantity + units;
    if (typeof checked.maxCharge === "bigint") {
      const most = maxCharge(context, admitted, clock.now());
      checked.maxCharge =
        most.amount === null
          ? most.reason === "not priced"
            ? "not_priced"
            : "no_maximum"
          : checked.maxCharge + decimalOf(most.amount);
    }
    for (const { path, value } of admitted.compiled.mediaOf(admitted.body)) {
      const id = uploadNamed(value);
      if (id === null) continue;
      const column = path.split("/")[1] ?? null;
      const fault = { row: row.row, line: row.line, column, code: "upload_not_usable", message: "" };
      const others = this.uploads.get(id);
      if (others) others.push(fault);
      else this.uploads.set(id, [fault]);
    }
  }

  async checkUploads(context: RunsContext, accountId: string): Promise<void> {
    if (this.uploads.size === 0) return;
    const uploads = await readUploads(context, accountId, [...this.uploads.keys()]);
    for (const [id, fields] of this.uploads) {
      const upload = uploads.get(id);
      if (!upload || !("unusable" in upload)) continue;
      for (const fault of fields)
        this.add({ ...fault, message: `${fault.column}: the upload ${id} ${upload.unusable}` });
    }
    this.checked.faults.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
  }
}

/** Throws for parameters that no row of any operation may have, such as `stream`. */
export function refuseInRow(input: Record<string, unknown>): void {
  if (input.stream === true) throw invalidParameter("stream", "a batch does not stream: leave stream out");
  if (input.response_format === "pcm")
    throw invalidParameter("response_format", "pcm is not a file format: choose wav or mp3 in a batch");
}

/** Checks a row as if it were sent now. */
export async function admitRow(
  context: RunsContext,
  actor: Actor,
  request: OperationInput,
): Promise<Admitted> {
  const admitted = await admit(context, actor, request);
  if (admitted.callbackUrl !== undefined)
    throw invalidParameter(
      "callback_url",
      "callback_url applies to the whole batch: leave it out of the rows",
    );
  return admitted;
}

function apiTypeNamed(value: unknown): ApiType | undefined {
  const found = apiTypes.find((known) => known === value);
  if (value !== undefined && found === undefined)
    throw invalidParameter("api_type", `api_type must be one of ${apiTypes.join(", ")}`);
  return found;
}

function faultsOf(
  { code, message, param, details }: ApiError,
  { row, line, input }: SourceRow,
  compiled: CompiledOperation,
): BatchFault[] {
  const columnAt = (pointer: string) => columnOfField(compiled, input, pointer);
  if (!details?.length) {
    const field = param?.split(/[.[]/)[0];
    return [{ row, line, column: field === undefined ? null : columnAt(`/${field}`), code, message }];
  }
  return details.map(({ path, message: problem }) => {
    const column = columnAt(path);
    // The message names the column, because the author of a table does not know JSON pointers.
    const named = path.split("/")[1] === column ? paramAt(path) : (column ?? "");
    return { row, line, column, code, message: `${named} ${problem}`.trim() };
  });
}

const sources = ["rows", "csv", "jsonl", "upload"] as const;

/**
 * The rows of a request. Throws `missing_parameter` or `invalid_parameter` unless the request has exactly one
 * source, `upload_not_usable`, and `input_too_large` for too many rows.
 */
async function readSource(call: BatchCall, request: BatchCheckRequest): Promise<Source> {
  const [named, another] = sources.filter((name) => request[name] !== undefined);
  if (named === undefined)
    throw new ApiError("missing_parameter", "Send the inputs in rows, csv, jsonl or upload.", {
      param: "rows",
    });
  if (another !== undefined)
    throw invalidParameter(another, `Send the inputs in ${named} or in ${another}, not both.`);
  const source = await read(call, request);
  if (source.hasManyLines) throw tooLarge(named, "lines", batchLimits.maxLines);
  refuseManyNames(source, named);
  if (source.rows.length === 0 && source.faults.length === 0)
    throw invalidParameter(named, "The source has no rows. Send at least one.");
  if (source.rows.length > batchLimits.maxRows) throw tooLarge(named, "rows", batchLimits.maxRows);
  return source;
}

/** Each field name becomes a column in the database and in the results, so names are bounded first. */
function refuseManyNames({ rows, columns = 0 }: Source, param: string): void {
  if (columns > batchLimits.maxColumns) throw tooLarge(param, "columns", batchLimits.maxColumns);
  const names = new Set<string>();
  for (const { input } of rows)
    for (const name in input) {
      if (name.length > batchLimits.columnMaxLength)
        throw invalidParameter(
          param,
          `A column's name can have at most ${batchLimits.columnMaxLength} characters; "${name.slice(0, 40)}…" is longer.`,
        );
      names.add(name);
      if (names.size > batchLimits.maxColumns) throw tooLarge(param, "columns", batchLimits.maxColumns);
    }
}

function tooLarge(param: string, what: "lines" | "rows" | "columns", most: number): ApiError {
  const limit = most.toLocaleString("en");
  return new ApiError(
    "input_too_large",
    `There are more than ${limit} ${what}, the most that a batch can have. Split them into several batches.`,
    { param },
  );
}

async function read(call: BatchCall, { rows, csv, jsonl, upload = "" }: BatchCheckRequest): Promise<Source> {
  if (rows) return fromRows(rows);
  if (csv !== undefined) return fromCsv(csv, call.left);
  return jsonl === undefined ? readUpload(call, upload) : fromJsonLines(jsonl, call.left);
}

async function readUpload({ context, caller, left }: BatchCall, text: string): Promise<Source> {
  const { actor } = caller;
  const refuse = (why: string) => new ApiError("upload_not_usable", `upload: ${why}.`, { param: "upload" });
  const id = uploadNamed(text);
  if (id === null) throw refuse("it must be upload://upl_…");
  const upload = (await readUploads(context, actor.accountId, [id])).get(id);
  if (!upload || "unusable" in upload) throw refuse(`the upload ${id} ${upload?.unusable}`);
  await assertMayReadTable(context.database.queries, actor, id);
  const { contentType, storageKey } = upload;
  if (contentType !== "text/csv" && contentType !== "application/jsonl")
    throw refuse(`the upload ${id} is ${contentType}; its type must be text/csv or application/jsonl`);
  const object = await context.store.get(storageKey);
  if (!object) throw refuse(`the file of the upload ${id} was removed; upload it again`);
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(left, object.stream)) chunks.push(chunk as Buffer);
  const content = decoded(Buffer.concat(chunks));
  if (content === null) throw refuse("the file is not UTF-8 text. In a spreadsheet, save it as CSV UTF-8");
  return contentType === "text/csv" ? fromCsv(content, left) : fromJsonLines(content, left);
}

/** UTF-8, or UTF-16 with the byte order mark that Excel writes. */
function decoded(bytes: Buffer): string | null {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
