import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiType } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import { isTerminal } from "#contract/prediction.ts";
import type { Context } from "#gateway/context.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { type Answer, answerOnce } from "#gateway/http/idempotency.ts";
import { whenClosed } from "#gateway/http/when-closed.ts";
import { acceptPrediction } from "#gateway/predictions/accept.ts";
import { findPredictionOfRequest } from "#gateway/predictions/read.ts";
import { type PredictionRow, predictionUrl, predictionView } from "#gateway/predictions/view.ts";
import { preferredWait, waitForPrediction } from "#gateway/predictions/wait.ts";
import type { ProviderRequest } from "#gateway/providers/provider.ts";
import { meterOperation } from "#gateway/usage/meter-operation.ts";
import { type Admitted, admit } from "./admit.ts";
import { answerOf, ignoredHeader } from "./answers.ts";
import { asPrediction } from "./as-prediction.ts";
import { replayChat, streamChat } from "./chat-stream.ts";
import { dispatch } from "./dispatch.ts";
import { mediaLinks } from "./media-links.ts";
import type { ParsedBody } from "./multipart.ts";
import { resolveMedia } from "./resolve-media.ts";

const pollAfterSeconds = 2;

/**
 * The one path of every operation: admit → once → budget → sync, stream or prediction. `apiType` is null on the generic route,
 * where the model decides and the answer has Replicate's shape.
 */
export async function runOperation(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  apiType: ApiType | null,
  parsed: ParsedBody,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  const admitted = await admit(context, actor, apiType, parsed.body, parsed.fromText);
  const { operation, model } = admitted.compiled;
  request.operationModel = model.id;
  request.operationRegion = admitted.region;
  const abort = new AbortController();
  whenClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  const streams = operation.execution_mode === "sync-or-stream" && admitted.body.stream === true;
  const produce = async (): Promise<Answer> => {
    // Only what is about to run needs a budget: an answer that was kept for its Idempotency-Key has been counted.
    await context.budgets.check(actor, operation.billing_unit);
    if (operation.execution_mode === "async") return runAsync(context, admitted, request, abort.signal);
    return runSync(context, admitted, request, abort.signal, streams ? reply : null);
  };
  const recover = async (requestId: string): Promise<Answer | null> => {
    const row = await findPredictionOfRequest(context, actor.accountId, requestId);
    return row && predictionAnswer(context, admitted, row, false);
  };
  const answer = await answerOnce(context, request, actor, parsed.fingerprint, produce, { recover });
  if (streams) {
    if (!reply.raw.headersSent) await replayChat(reply, admitted, answer.body);
    return reply;
  }
  const shown = apiType === null ? asPrediction(answer) : answer;
  return reply.code(shown.status).headers(shown.headers).send(shown.body);
}

async function runSync(
  context: Context,
  admitted: Admitted,
  httpRequest: FastifyRequest,
  signal: AbortSignal,
  streamTo: FastifyReply | null,
): Promise<Answer> {
  const { compiled, body, actor } = admitted;
  const links = mediaLinks(context, actor.accountId);
  const run = async (directory: string | null): Promise<Answer> => {
    const request: ProviderRequest = {
      id: newId("generation"),
      accountId: actor.accountId,
      model: compiled.model,
      operation: compiled.operation,
      region: admitted.region,
      input: admitted.input,
      media: directory
        ? await resolveMedia(context, {
            accountId: actor.accountId,
            compiled,
            body,
            limits: compiled.operation.limits,
            signal,
            directory,
          })
        : [],
      mediaUrl: links.mediaUrl,
      signal,
      log: httpRequest.log as ProviderRequest["log"],
    };
    if (streamTo) return streamChat(context, admitted, request, streamTo);
    const { result, provider } = await dispatch(context, request, (candidate) => candidate.execute(request));
    meterOperation(context, {
      accountId: actor.accountId,
      keyId: actor.kind === "key" ? actor.id : null,
      model: compiled.model.id,
      usage: result.usage,
    });
    return answerOf(context, admitted, request.id, provider, result, signal);
  };
  if (compiled.mediaOf(body).length === 0) return run(null);
  return context.scratch
    .withDirectory(run)
    .finally(() =>
      links
        .withdraw()
        .catch((error) => httpRequest.log.warn({ err: error }, "inputs of a run were not removed at once")),
    );
}

async function runAsync(
  context: Context,
  admitted: Admitted,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const accepted = await acceptPrediction(context, admitted, request.id, signal);
  const seconds = preferredWait(request.headers.prefer);
  if (seconds === null) return predictionAnswer(context, admitted, accepted, false);
  // Accepted is accepted: a wait that fails is no reason to make it again.
  const row = await waitForPrediction(context, accepted, seconds, signal).catch((error) => {
    request.log.warn({ err: error }, "the wait for a prediction failed");
    return accepted;
  });
  const answer = predictionAnswer(context, admitted, row, isTerminal(row.status));
  answer.headers["preference-applied"] = `wait=${seconds}`;
  return answer;
}

function predictionAnswer(context: Context, admitted: Admitted, row: PredictionRow, done: boolean): Answer {
  return {
    status: done ? 200 : 202,
    headers: {
      "content-type": "application/json; charset=utf-8",
      location: predictionUrl(context, row.id),
      "x-svc-region": row.svcRegion,
      ...(!done && { "retry-after": String(pollAfterSeconds) }),
      ...ignoredHeader(admitted),
    },
    body: predictionView(context, row),
  };
}
