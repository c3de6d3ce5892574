import { Readable } from "node:stream";
import { Type } from "typebox";
import {
  Batch,
  BatchCheck,
  BatchCheckRequest,
  BatchCreate,
  BatchList,
  BatchQuery,
  BatchRetry,
  BatchRowList,
  BatchRowQuery,
  batchLimits,
} from "#contract/batches.ts";
import { type Caller, callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { type Answer, sendOnce } from "#gateway/http/idempotency.ts";
import { whenClosed } from "#gateway/http/when-closed.ts";
import { checkBatch } from "./check.ts";
import { pauseBatch, resumeBatch, retryFailed, stopBatch } from "./control.ts";
import { createBatch } from "./create.ts";
import { findBatch, findBatchOfRequest, listBatches, listRows, readBatch } from "./read.ts";
import { resultsCsv, resultsZip } from "./results.ts";

const Params = Type.Object({ id: Type.String() });
const read = { permission: "predictions:read", extension: true } as const;
const run = { permission: "operations:run", extension: true } as const;
/** Every row is checked as a request. */
const checksRows = { ...run, asMuchAsOperation: true } as const;
const stop = { permission: "predictions:cancel", extension: true } as const;
/** A file in a JSON text has more characters than by itself. */
const bodyLimit = 2 * batchLimits.maxBytes;
/** Answers contain signed URLs. */
const noStore = { "cache-control": "no-store" };

type Control = (context: Context, caller: Caller, id: string) => Promise<Batch>;

const controls: { name: string; config: typeof run | typeof stop; verb: Control }[] = [
  { name: "pause", config: stop, verb: pauseBatch },
  { name: "resume", config: run, verb: resumeBatch },
  { name: "stop", config: stop, verb: stopBatch },
];

export function batchRoutes(app: App, context: Context): void {
  app.post(
    "/batches/check",
    { config: checksRows, bodyLimit, schema: { body: BatchCheckRequest, response: { 200: BatchCheck } } },
    (request) => checkBatch(context, actorOf(request), request.body),
  );
  app.post(
    "/batches",
    {
      config: { ...checksRows, idempotent: true },
      bodyLimit,
      schema: { body: BatchCreate, response: { 202: Batch } },
    },
    async (request, reply) => {
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
  );
  app.get(
    "/batches",
    { config: read, schema: { querystring: BatchQuery, response: { 200: BatchList } } },
    (request) => listBatches(context, actorOf(request).accountId, request.query),
  );
  app.get("/batches/:id", { config: read, schema: { params: Params, response: { 200: Batch } } }, (request) =>
    readBatch(context, actorOf(request).accountId, request.params.id),
  );
  app.get(
    "/batches/:id/rows",
    { config: read, schema: { params: Params, querystring: BatchRowQuery, response: { 200: BatchRowList } } },
    (request, reply) => {
      reply.headers(noStore);
      return listRows(context, actorOf(request).accountId, request.params.id, request.query);
    },
  );
  for (const [kind, contentType, write] of [
    ["csv", "text/csv; charset=utf-8", resultsCsv],
    ["zip", "application/zip", resultsZip],
  ] as const)
    app.get(
      `/batches/:id/results.${kind}`,
      // A HEAD request would read all of the file.
      { config: read, exposeHeadRoute: false, schema: { params: Params } },
      async (request, reply) => {
        const actor = actorOf(request);
        const batch = await findBatch(context, actor.accountId, request.params.id);
        const file = Readable.from(write(context, batch), { objectMode: false });
        const stopWatching = context.credentials.watch(actor, read.permission, () => file.destroy());
        whenClosed(reply.raw, stopWatching);
        reply.headers({
          ...noStore,
          "content-type": contentType,
          "content-disposition": `attachment; filename="${batch.id}.${kind}"`,
        });
        return reply.send(file);
      },
    );
  for (const { name, config, verb } of controls)
    app.post(
      `/batches/:id/${name}`,
      { config, schema: { params: Params, response: { 200: Batch } } },
      (request) => verb(context, callerOf(request, actorOf(request)), request.params.id),
    );
  app.post(
    "/batches/:id/retry_failed",
    {
      config: run,
      schema: {
        params: Params,
        body: Type.Union([BatchRetry, Type.Null()]),
        response: { 200: Batch },
      },
    },
    (request) =>
      retryFailed(context, callerOf(request, actorOf(request)), request.params.id, request.body ?? {}),
  );
}
