import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Batch, batchLimits } from "#contract/batches.ts";
import { batchRoutes } from "#contract/routes/batches.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { type Answer, sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { refuseForeign } from "#gateway/platform/http/validation.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { checkBatch } from "./check.ts";
import { pauseBatch, pickRow, resumeBatch, retryFailed, stopBatch } from "./control.ts";
import { createBatch } from "./create.ts";
import { findBatch, findBatchOfRequest, listBatches, listRows, readBatch } from "./read.ts";
import { resultsCsv, resultsReader, resultsZip } from "./results.ts";

/** A file in a JSON text has more characters than by itself. */
const bodyLimit = 2 * batchLimits.maxBytes;
/** Answers contain signed URLs. */
const noStore = { "cache-control": "no-store" };

export function installBatches(app: App, context: Context): void {
  serve(
    app,
    batchRoutes,
    {
      "POST /batches/check": (request) => checkBatch(context, actorOf(request), request.body),
      "POST /batches": async (request, reply) => {
        const actor = actorOf(request);
        const answer = (batch: Batch): Answer => ({
          status: 202,
          headers: { location: `${context.config.publicUrl}/v1/batches/${batch.id}` },
          body: batch,
        });
        return sendOnce(
          context,
          request,
          reply,
          actor,
          async (assertHeld) =>
            answer(await createBatch(context, callerOf(request, actor), request.body, assertHeld)),
          {
            async recover(requestId) {
              const made = await findBatchOfRequest(context, actor.accountId, requestId);
              return made && answer(made);
            },
          },
        );
      },
      "GET /batches": (request) => listBatches(context, actorOf(request).accountId, request.query),
      "GET /batches/{id}": (request) => readBatch(context, actorOf(request).accountId, request.params.id),
      "GET /batches/{id}/rows": (request, reply) => {
        reply.headers(noStore);
        return listRows(context, actorOf(request), request.params.id, request.query);
      },
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
      "POST /batches/{id}/pause": (request) =>
        pauseBatch(context, callerOf(request, actorOf(request)), request.params.id),
      "POST /batches/{id}/resume": (request) =>
        resumeBatch(context, callerOf(request, actorOf(request)), request.params.id, request.body ?? {}),
      "POST /batches/{id}/stop": (request) =>
        stopBatch(context, callerOf(request, actorOf(request)), request.params.id),
      "POST /batches/{id}/retry_failed": (request) =>
        retryFailed(context, callerOf(request, actorOf(request)), request.params.id, request.body ?? {}),
      "POST /batches/{id}/pick": (request) =>
        pickRow(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    },
    {
      "POST /batches/check": { bodyLimit },
      "POST /batches": {
        bodyLimit,
        preValidation: refuseForeign(["input_file_id", "endpoint", "completion_window"], notOpenAis),
      },
      // A HEAD request would read all of the file.
      "GET /batches/{id}/results.csv": { exposeHeadRoute: false },
      "GET /batches/{id}/results.zip": { exposeHeadRoute: false },
    },
  );
}

const notOpenAis =
  "POST /v1/batches runs one model on many inputs: send model, and the inputs as rows, csv, jsonl or upload. " +
  "In jsonl each line is an input: the body of a line of OpenAI's file, without input_file_id, endpoint and completion_window beside it.";

interface ResultsForm {
  kind: "csv" | "zip";
  contentType: string;
  write: (
    ...given: Parameters<typeof resultsZip>
  ) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

/** Sends the results as a file while they are read, for as long as the caller may read them. */
async function sendResults(
  context: Context,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  { kind, contentType, write }: ResultsForm,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  const batch = await findBatch(context, actor.accountId, request.params.id);
  const reader = await resultsReader(context, actor, batch);
  const file = Readable.from(await write(context, batch, reader), { objectMode: false });
  const { permission } = batchRoutes[`GET /batches/{id}/results.${kind}`];
  whenClosed(
    reply.raw,
    context.credentials.watch(actor, permission, () => file.destroy()),
  );
  reply.headers({
    ...noStore,
    "content-type": contentType,
    "content-disposition": `attachment; filename="${batch.id}.${kind}"`,
  });
  return reply.send(file);
}
