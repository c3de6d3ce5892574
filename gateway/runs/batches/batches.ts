import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type BatchCheck,
  type BatchCheckRequest,
  type BatchMostCost,
  type BatchRow,
  batchLimits,
} from "#contract/batches.ts";
import type { BoundedValidator } from "#contract/checks/bounded-validation.ts";
import { decimalText } from "#contract/money/decimal.ts";
import { isOpenAiBatch, OpenAiBatchCreate } from "#contract/openai-batches.ts";
import { batchRoutes } from "#contract/routes/batches.ts";
import { askedCallback } from "#gateway/events/webhooks/callbacks.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { writeLine } from "#gateway/platform/core/formula-text.ts";
import type { App } from "#gateway/platform/http/app.ts";

import { serve } from "#gateway/platform/http/serve.ts";
import { validatorOf } from "#gateway/platform/http/validation.ts";
import { clientLeft, whenClosed } from "#gateway/platform/http/when-closed.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { wishField, wishHeader } from "#gateway/runs/operations/provider-wishes.ts";
import { type BatchCall, type CheckedBatch, checkRows } from "./check-rows.ts";
import { pauseBatch, pickRow, resumeBatch, retryFailed, stopBatch } from "./control.ts";
import { createBatch } from "./create.ts";
import { createOpenAiBatch, inOwnShape, listInOwnShapes, readInOwnShape } from "./openai-batches.ts";
import {
  allRows,
  findBatch,
  findBatchOfRequest,
  listRows,
  modelsOf,
  type RowRecord,
  readBatch,
  rowView,
} from "./read.ts";
import type { BatchRecord } from "./view.ts";

/** A file inside a JSON string is escaped, so it has more characters than on its own. */
const bodyLimit = 2 * batchLimits.maxBytes;

export function installBatches(app: App, context: RunsContext): void {
  serve(
    app,
    context,
    batchRoutes,
    {
      "POST /batches/check": ({ caller, body }, reply) =>
        checkBatch({ context, caller, left: clientLeft(reply.raw) }, body),
      "POST /batches": (request, reply, beforeWriting) => {
        const { caller, body, headers } = request;
        if (headers[wishHeader] !== undefined)
          throw invalidParameter(wishHeader, `Put ${wishField} into the rows instead of ${wishHeader}.`);
        const call = { context, caller, left: clientLeft(reply.raw), beforeWriting };
        if (isOpenAiBatch(body))
          return createOpenAiBatch({ ...call, callback: askedCallback(request, undefined) }, body);
        return createBatch({ ...call, callback: askedCallback(request, body.callback_url) }, body);
      },
      "GET /batches": ({ caller, query }) => listInOwnShapes(context, caller.actor, query),
      "GET /batches/{id}": ({ caller, params, query }) => {
        const read = query.shape === undefined ? readInOwnShape : readBatch;
        return read(context, caller.actor.accountId, params.id);
      },
      "GET /batches/{id}/rows": ({ caller, params, query }) =>
        listRows(context, caller.actor, params.id, query),
      "GET /batches/{id}/results.csv": (request, reply) =>
        sendResults(context, request, reply, {
          kind: "csv",
          contentType: "text/csv; charset=utf-8",
          write: resultsCsv,
        }),
      "GET /batches/{id}/results.zip": (request, reply) =>
        sendResults(context, request, reply, {
          kind: "zip",
          contentType: "application/zip",
          write: resultsZip,
        }),
      "POST /batches/{id}/pause": (request) => pauseBatch(context, request.caller, request.params.id),
      "POST /batches/{id}/resume": (request) =>
        resumeBatch(context, request.caller, request.params.id, request.body ?? {}),
      "POST /batches/{id}/stop": (request) => stopBatch(context, request.caller, request.params.id),
      "POST /batches/{id}/retry_failed": (request) =>
        retryFailed(context, request.caller, request.params.id, request.body ?? {}),
      "POST /batches/{id}/cancel": async (request) => {
        const { caller, params } = request;
        await stopBatch(context, caller, params.id);
        return readInOwnShape(context, caller.actor.accountId, params.id);
      },
      "POST /batches/{id}/pick": (request) =>
        pickRow(context, request.caller, request.params.id, request.body),
    },
    {
      "POST /batches/check": { bodyLimit },
      "POST /batches": {
        bodyLimit,
        validatorCompiler: ({ schema, httpPart }) =>
          httpPart === "body" ? inEitherShape(schema as object) : validatorOf(schema as object, httpPart),
        async recover({ caller }, requestId) {
          const batch = await findBatchOfRequest(context, caller.actor.accountId, requestId);
          return batch && inOwnShape(context, batch);
        },
      },
      // A HEAD request would read the whole file.
      "GET /batches/{id}/results.zip": { exposeHeadRoute: false },
    },
  );
}

/** Checks a body against the schema that matches its shape, so that errors name the fields of that shape. */
function inEitherShape(schema: object): BoundedValidator {
  const [own, openAis] = [validatorOf(schema, "body"), validatorOf(OpenAiBatchCreate, "body")];
  const validate: BoundedValidator = (body) => {
    const check = isOpenAiBatch(body) ? openAis : own;
    const isValid = check(body);
    validate.errors = check.errors ?? null;
    return isValid;
  };
  return validate;
}

interface ResultsForm {
  kind: "csv" | "zip";
  contentType: string;
  write: (
    ...given: Parameters<typeof resultsZip>
  ) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

/** Streams the results as a file; stops if the caller's permission to read them ends meanwhile. */
async function sendResults(
  context: RunsContext,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  { kind, contentType, write }: ResultsForm,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  const batch = await findBatch(context, actor.accountId, request.params.id);
  const reader = await resultsReader(context, actor, batch);
  const file = Readable.from(await write(context, batch, reader), { objectMode: false });
  const { permission } = batchRoutes[`GET /batches/{id}/results.${kind}`];
  whenClosed(
    reply.raw,
    context.credentials.watch(actor, permission, () => file.destroy()),
  );
  reply.headers({
    "content-type": contentType,
    "content-disposition": `attachment; filename="${batch.id}.${kind}"`,
  });
  return reply.send(file);
}

/**
 * Checks these rows without running them, and reports the problems that a batch of them would have. Throws as
 * `checkRows`.
 */
async function checkBatch(call: BatchCall, request: BatchCheckRequest): Promise<BatchCheck> {
  const checked = await checkRows(call, request);
  const { model, operation } = checked.compiled;
  return {
    object: "batch.check",
    ok: checked.faultsTotal === 0,
    model: model.id,
    api_type: operation.api_type,
    rows: checked.rowsRead,
    faults: checked.faults,
    faults_total: checked.faultsTotal,
    ignored: [...checked.ignored],
    estimated: { unit: operation.billing_unit, quantity: checked.estimatedQuantity },
    most_cost: maxCostOf(checked.maxCharge, call.context.prices.book.currency),
  };
}

function maxCostOf(most: CheckedBatch["maxCharge"], currency: string): BatchMostCost {
  return typeof most === "bigint"
    ? { amount: decimalText(most), currency, reason: null }
    : { amount: null, currency, reason: most };
}

const resultColumns = [
  "result_row",
  "result_custom_id",
  "result_status",
  "result_model",
  "result_text",
  "result_files",
  "result_error_code",
  "result_error_message",
  "result_unit",
  "result_quantity",
  "result_run_id",
  "result_api_type",
  "result_gated",
] as const;

/** The person or key that downloads the results. */
interface ResultsReader {
  clearance: Clearance;
  /** True if some rows are shown without inputs and outputs, because the reader lacks an attestation. */
  lacksSome: boolean;
}

async function resultsReader(
  context: RunsContext,
  actor: Actor,
  { id }: BatchRecord,
): Promise<ResultsReader> {
  const models = await modelsOf(context, id);
  const clearance = await Clearance.of(context, actor, models);
  return { clearance, lacksSome: clearance.missingAmong(models) !== null };
}

/** Names each file of a row: its signed URL, or its name inside the ZIP. */
type FileNames = (row: RowRecord, view: BatchRow) => string[];

/**
 * The inputs under their own names with the results beside them, one line per row. `result_gated` names the
 * attestation that the reader lacks, if any.
 */
async function* resultsCsv(
  context: RunsContext,
  batch: BatchRecord,
  { clearance, lacksSome }: ResultsReader,
  namesOf: FileNames = (_row, { data }) => data?.flatMap(({ url }) => url ?? []) ?? [],
): AsyncGenerator<Buffer> {
  const names = resultColumns.filter(
    (name) =>
      (name !== "result_gated" || lacksSome) && (name !== "result_custom_id" || batch.openAi !== null),
  );
  // Starts with a byte order mark, so that Excel reads it as UTF-8.
  yield Buffer.from(`\uFEFF${writeLine([...batch.columns, ...names])}`);
  const pause = yieldToEventLoop();
  for await (const row of allRows(context, batch.id)) {
    await pause();
    const view = rowView(context, batch, row, clearance);
    const inputs = batch.columns.map((name) => cellOf(view.input?.[name]));
    const results: Record<(typeof resultColumns)[number], string> = {
      result_row: String(row.row),
      result_custom_id: row.customId ?? "",
      result_status: row.status,
      result_model: row.model,
      result_text: view.text ?? "",
      result_files: namesOf(row, view).join(" "),
      result_error_code: row.error?.code ?? "",
      result_error_message: row.error?.message ?? "",
      result_unit: row.usageUnit ?? "",
      result_quantity: row.usageQuantity === null ? "" : String(row.usageQuantity),
      result_run_id: row.runId ?? "",
      result_api_type: view.api_type,
      result_gated: view.gated ?? "",
    };
    yield Buffer.from(writeLine([...inputs, ...names.map((name) => results[name])]));
  }
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * All media of a batch that the reader may see, with `results.csv` and a `manifest.json` that lists each
 * file's content and the files that were left out.
 */
async function resultsZip(
  context: RunsContext,
  batch: BatchRecord,
  reader: ResultsReader,
): Promise<ReadableStream<Uint8Array>> {
  const { makeZip } = await import("client-zip");
  return makeZip(zipEntries(context, batch, reader));
}

/** A fixed date, so that the same batch gives the same bytes. */
const lastModified = new Date(2026, 0, 1);

interface ZipEntry {
  name: string;
  input: AsyncIterable<Buffer>;
  lastModified: Date;
}

interface ManifestFile {
  name: string;
  content_type: string;
  size_bytes: number;
}

async function* zipEntries(
  context: RunsContext,
  batch: BatchRecord,
  reader: ResultsReader,
): AsyncGenerator<ZipEntry> {
  const files = new Map<number, ManifestFile[]>();
  for await (const row of allRows(context, batch.id)) {
    if (row.dataRemovedAt || reader.clearance.missing(row.model) !== null) continue;
    for (const [index, file] of (row.files ?? []).entries()) {
      const object = await context.store.get(file.key);
      // Leave out a file that expired after its row was read.
      if (!object) continue;
      const name = fileName(row.row, index, file.key);
      try {
        yield { name, input: object.stream as AsyncIterable<Buffer>, lastModified };
      } finally {
        // If the client disconnects in the middle of a file, nothing else closes that file's stream.
        object.stream.destroy();
      }
      const entry = { name, content_type: file.contentType, size_bytes: file.sizeBytes };
      files.set(row.row, [...(files.get(row.row) ?? []), entry]);
    }
  }
  const namesOf: FileNames = ({ row }) => files.get(row)?.map(({ name }) => name) ?? [];
  yield { name: "results.csv", input: resultsCsv(context, batch, reader, namesOf), lastModified };
  yield { name: "manifest.json", input: manifest(context, batch, reader, files), lastModified };
}

function fileName(row: number, index: number, key: string): string {
  const extension = /\.\w+$/.exec(key)?.[0] ?? "";
  return `files/${String(row).padStart(4, "0")}-${index + 1}${extension}`;
}

/** Written row by row like the CSV: one array of all rows would be as large as the inputs. */
async function* manifest(
  context: RunsContext,
  batch: BatchRecord,
  { clearance }: ResultsReader,
  files: ReadonlyMap<number, ManifestFile[]>,
): AsyncGenerator<Buffer> {
  const { id, name, model, apiType: api_type, status } = batch;
  const head = JSON.stringify({ id, object: "batch.results", name, model, api_type, status });
  yield Buffer.from(`${head.slice(0, -1)},"rows":[`);
  let separator = "";
  const pause = yieldToEventLoop();
  for await (const row of allRows(context, id)) {
    await pause();
    const { gated, data, ...view } = rowView(context, batch, row, clearance);
    const leftOut = data?.map((file, index) => ({
      name: fileName(row.row, index, row.files?.[index]?.key ?? ""),
      content_type: file.content_type,
      size_bytes: file.size_bytes,
    }));
    const entry = {
      row: row.row,
      model: view.model,
      api_type: view.api_type,
      status: view.status,
      input: view.input,
      text: view.text,
      output: view.output,
      files: files.get(row.row) ?? [],
      ...(gated !== null && { gated, left_out: leftOut ?? [] }),
      error: view.error,
      run_id: view.run_id,
    };
    yield Buffer.from(`${separator}\n${JSON.stringify(entry)}`);
    separator = ",";
  }
  yield Buffer.from("\n]}\n");
}
