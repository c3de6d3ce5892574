import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorCatalogue } from "#contract/error.ts";
import { isId, ulidOf } from "#contract/ids.ts";
import { type Deleted, deleted, type List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import {
  type FilePurpose,
  type OpenAiFile,
  type OpenAiFileQuery,
  openAiFileRoutes,
} from "#contract/upload.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { attachment } from "#gateway/files/storage/attachment.ts";
import { fileRemoved, sendObject } from "#gateway/files/storage/storage.ts";
import {
  assertMayReadTable,
  findUpload,
  hasPurpose,
  openAiFile,
  selectUploads,
  unixSeconds,
} from "#gateway/files/uploads/read.ts";
import { deleteUpload } from "#gateway/files/uploads/uploads.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { base64Of } from "#gateway/runs/execution/answers.ts";
import { gatesOfRequests } from "./openai-batches.ts";
import { allRows, findBatch, modelsOf, type RowRecord, rowView } from "./read.ts";
import { type BatchRecord, batchFileId, type BatchFilePart as Part } from "./view.ts";

/*
 * OpenAI's file API: the account's uploads, and the result files of its OpenAI-shaped batches. Result files
 * are not stored: they are written from the batch's rows while they are read.
 */

export function installOpenAiFiles(app: App, context: RunsContext): void {
  serve(
    app,
    context,
    openAiFileRoutes,
    {
      "GET /files": ({ caller, query }) => listFiles(context, caller.actor, query),
      "GET /files/{id}": ({ caller, params }) => readFile(context, caller.actor, params.id),
      "GET /files/{id}/content": (request, reply) => sendContent(context, request, reply, request.params.id),
      "DELETE /files/{id}": ({ caller, params }) => deleteFile(context, caller, params.id),
    },
    // A HEAD request would read the whole file.
    { "GET /files/{id}/content": { exposeHeadRoute: false } },
  );
}

const batchFile = /^(batch_[0-9a-z]{26})_(output|errors)$/;

function partOf(id: string): { batchId: string; part: Part } | null {
  const [, batchId, part] = batchFile.exec(id) ?? [];
  return batchId && part ? { batchId, part: part as Part } : null;
}

/** An ended batch, and which of its two files still have lines. */
interface EndedBatch {
  batch: BatchRecord;
  hasOutput: boolean;
  hasErrors: boolean;
}

async function selectEnded(
  queries: Queries,
  where: ReturnType<typeof and>,
  order = desc(batches.id),
  limit = 1,
) {
  const some = (rows: ReturnType<typeof sql>) =>
    sql<boolean>`exists (select 1 from ${batchRows} r where r.batch_id = ${batches.id} and ${rows})`;
  const found: EndedBatch[] = await queries
    .select({
      batch: batches,
      hasOutput: some(sql`r.status = 'succeeded' and r.data_removed_at is null`),
      hasErrors: some(sql`r.status in ('failed', 'canceled')`),
    })
    .from(batches)
    .where(
      and(
        isNotNull(batches.openAi),
        inArray(batches.status, ["finished", "stopped"]),
        isNull(batches.dataRemovedAt),
        where,
      ),
    )
    .orderBy(order)
    .limit(limit);
  return found;
}

function fileOf({ batch }: EndedBatch, part: Part): OpenAiFile {
  const { id, storedBytes, createdAt, finishedAt, expiresAt } = batch;
  return {
    id: batchFileId(id, part),
    object: "file",
    bytes: storedBytes,
    created_at: unixSeconds(finishedAt ?? createdAt),
    expires_at: expiresAt && unixSeconds(expiresAt),
    filename: `${batchFileId(id, part)}.jsonl`,
    purpose: "batch_output",
    status: "processed",
    status_details: null,
    content_type: "application/jsonl",
  };
}

/** The files of an ended batch, in the order of a list: newest first. */
function filesOf(ended: EndedBatch): OpenAiFile[] {
  return [
    ...(ended.hasOutput ? [fileOf(ended, "output")] : []),
    ...(ended.hasErrors ? [fileOf(ended, "errors")] : []),
  ];
}

/**
 * Uploads and files of batches as one list, by the time in their ids. Files of batches are left out for keys that may not read
 * predictions. Throws `invalid_cursor`.
 */
async function listFiles(
  context: RunsContext,
  actor: Actor,
  { limit = pageLimit.default, after, order = "desc", purpose }: OpenAiFileQuery,
): Promise<List<OpenAiFile>> {
  const size = Math.min(limit, pageLimit.max);
  const isSeen = after !== undefined;
  if (isSeen && !isId("upload", after) && !partOf(after))
    throw new ApiError("invalid_cursor", "`after` must be an id from this list.", { param: "after" });
  const seen = isSeen ? placeOf(after) : "";
  const data = [
    ...(purpose === "batch_output" ? [] : await uploadFiles(context, actor, { size, after, order, purpose })),
    ...(purpose === undefined || purpose === "batch_output"
      ? await batchFiles(context, actor, { size, after, order })
      : []),
  ]
    .filter(({ id }) => !isSeen || (order === "asc" ? placeOf(id) > seen : placeOf(id) < seen))
    .toSorted((one, other) => (placeOf(one.id) < placeOf(other.id) === (order === "asc") ? -1 : 1));
  const page = data.slice(0, size);
  return {
    object: "list",
    data: page,
    has_more: data.length > size,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

/** Makes the ids of uploads and of result files comparable by creation time. */
function placeOf(id: string): string {
  return ulidOf(id);
}

interface Page {
  size: number;
  after: string | undefined;
  order: "asc" | "desc";
  purpose?: FilePurpose | undefined;
}

/** The ULID of the id after which the page begins; without `after`, the lowest or highest possible. */
function cursorOf({ after, order }: Page): string {
  const whole = 26;
  return after === undefined ? (order === "asc" ? "0" : "z").repeat(whole) : ulidOf(after).slice(0, whole);
}

async function uploadFiles(context: RunsContext, { accountId }: Actor, page: Page): Promise<OpenAiFile[]> {
  const { size, order, purpose } = page;
  const cursor = `upl_${cursorOf(page)}`;
  const query = { status: "verified" as const, limit: size, [order === "asc" ? "before" : "after"]: cursor };
  const wanted = purpose === undefined ? [] : [hasPurpose(purpose)];
  const { rows } = await selectUploads(context.database.queries, accountId, query, ...wanted);
  return rows.map(openAiFile);
}

async function batchFiles(context: RunsContext, actor: Actor, page: Page): Promise<OpenAiFile[]> {
  if (!actor.permissions.has("predictions:read")) return [];
  const cursor = `batch_${cursorOf(page)}`;
  const isAscending = page.order === "asc";
  const where = and(
    eq(batches.accountId, actor.accountId),
    isAscending ? gte(batches.id, cursor) : lte(batches.id, cursor),
  );
  // One row more, because the cursor can be the first of its batch's two files: then the page needs this
  // batch's second file.
  const limit = page.size + 2;
  const order = isAscending ? asc(batches.id) : desc(batches.id);
  return (await selectEnded(context.database.queries, where, order, limit)).flatMap(filesOf);
}

async function readFile(context: RunsContext, actor: Actor, id: string): Promise<OpenAiFile> {
  const part = partOf(id);
  if (!part) return openAiFile(await findUpload(context.database.queries, actor.accountId, id));
  return fileOf(await findEnded(context, actor, part), part.part);
}

/**
 * The ended batch of a file. Throws `batch_not_found`, 403 for a key that may not read predictions, and
 * `payload_purged` if the file has no lines any more.
 */
async function findEnded(
  context: RunsContext,
  actor: Actor,
  { batchId, part }: { batchId: string; part: Part },
): Promise<EndedBatch> {
  const { queries } = context.database;
  await assertPermitted(queries, actor, "predictions:read");
  await findBatch(context, actor.accountId, batchId);
  const [ended] = await selectEnded(queries, eq(batches.id, batchId));
  if (!ended || !(part === "output" ? ended.hasOutput : ended.hasErrors)) throw fileRemoved();
  return ended;
}

async function sendContent(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  const part = partOf(id);
  if (!part) {
    const { queries } = context.database;
    const row = await findUpload(queries, actor.accountId, id);
    const key = row.status === "verified" ? row.storageKey : null;
    const isUnused = row.purpose === "batch" && row.gates === null;
    const ofUnused = isUnused && key ? await gatesOfRequests(context, actor.accountId, key) : [];
    await assertMayReadTable(queries, actor, id, ofUnused);
    const object = key && (await context.store.head(key));
    if (!object) throw fileRemoved();
    return sendObject(context, request, reply, key, object, row.filename ?? undefined);
  }
  const { batch } = await findEnded(context, actor, part);
  const lines = part.part === "output" ? outputLines : errorLines;
  const clearance = await Clearance.of(context, actor, await modelsOf(context, batch.id));
  const file = Readable.from(lines(context, batch, clearance), { objectMode: false });
  whenClosed(
    reply.raw,
    context.credentials.watch(actor, "predictions:read", () => file.destroy()),
  );
  reply.headers({
    "content-type": "application/jsonl",
    "content-disposition": attachment(`${id}.jsonl`),
  });
  return reply.send(file);
}

/**
 * Deletes an upload, or the output file of a batch. Throws as `findEnded`, and `invalid_parameter` for an
 * error file.
 */
async function deleteFile(context: RunsContext, caller: Caller, id: string): Promise<Deleted> {
  const { actor } = caller;
  const part = partOf(id);
  if (!part) {
    await deleteUpload(context, caller, id);
    return deleted("file", id);
  }
  const { batch } = await findEnded(context, actor, part);
  if (part.part === "errors")
    throw invalidParameter(
      "id",
      "An error file cannot be deleted: it is removed together with the data of its batch.",
    );
  await audited(context, caller, "batch.output_deleted", async (queries) => {
    await queries
      .update(batchRows)
      .set({ output: null, files: null, dataRemovedAt: clock.date() })
      .where(
        and(
          eq(batchRows.batchId, batch.id),
          eq(batchRows.status, "succeeded"),
          isNull(batchRows.dataRemovedAt),
        ),
      );
    return { target: batch.id, result: null };
  });
  return deleted("file", id);
}

interface Line {
  id: string;
  custom_id: string | null;
  /** The line of the request in the input file. */
  line: number | null;
  response: { status_code: number; request_id: string; body: unknown } | null;
  error: { code: string; message: string } | null;
}

async function* outputLines(
  context: RunsContext,
  batch: BatchRecord,
  clearance: Clearance,
): AsyncGenerator<Buffer> {
  const pause = yieldToEventLoop();
  for await (const row of allRows(context, batch.id)) {
    if (row.status !== "succeeded" || row.dataRemovedAt) continue;
    await pause();
    yield written(await answered(context, batch, row, clearance));
  }
}

async function* errorLines(context: RunsContext, batch: BatchRecord): AsyncGenerator<Buffer> {
  const pause = yieldToEventLoop();
  for await (const row of allRows(context, batch.id)) {
    if (row.status !== "failed" && row.status !== "canceled") continue;
    await pause();
    yield written({ ...lineOf(row), ...failureOf(row) });
  }
}

function written(line: Line): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

function lineOf(row: RowRecord): Pick<Line, "id" | "custom_id" | "line"> {
  return { id: `${row.batchId}_${row.row}`, custom_id: row.customId, line: row.line };
}

/** The answer as its endpoint gives it; an error if the reader lacks an attestation for the output. */
async function answered(
  context: RunsContext,
  batch: BatchRecord,
  row: RowRecord,
  clearance: Clearance,
): Promise<Line> {
  const { gated, output, data } = rowView(context, batch, row, clearance);
  if (gated !== null) {
    const error = {
      code: `${gated}_attestation_required`,
      message: `Inputs and outputs of ${row.model} are shown only to people who have attested "${gated}" in the console, and to their keys.`,
    };
    return { ...lineOf(row), response: null, error };
  }
  const inline = row.input?.response_format === "b64_json";
  const body = output ?? {
    created: unixSeconds(row.completedAt ?? batch.createdAt),
    id: row.runId,
    model: row.model,
    data: await Promise.all(
      (data ?? []).map(async ({ url, content_type, width, height }, index) => {
        const key = row.files?.[index]?.key;
        const file = inline && key ? { b64_json: await base64Of(context, key) } : { url };
        return { ...file, content_type, width, height };
      }),
    ),
  };
  return {
    ...lineOf(row),
    response: { status_code: 200, request_id: row.runId ?? "", body },
    error: null,
  };
}

/** A request that was sent gets its endpoint's error response; one that was never sent gets only an error. */
function failureOf({ error, startedAt, runId }: RowRecord): Pick<Line, "response" | "error"> {
  const { code, message, type } = error ?? {
    code: "batch_canceled",
    message: "The batch was canceled before this request ran.",
    type: "conflict_error",
  };
  if (startedAt === null || !Object.hasOwn(errorCatalogue, code))
    return { response: null, error: { code, message } };
  const { status } = errorCatalogue[code as keyof typeof errorCatalogue];
  const body = { error: { code, message, type, param: null } };
  return { response: { status_code: status, request_id: runId ?? "", body }, error: null };
}
