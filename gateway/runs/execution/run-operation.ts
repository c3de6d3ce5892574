import type { FastifyReply, FastifyRequest } from "fastify";
import { isTerminal } from "#contract/prediction.ts";
import { costHeader, costOf, type Priced } from "#gateway/billing/prices/price-lines.ts";
import { cachedTokens } from "#gateway/billing/usage/lines.ts";
import {
  type AskedCallback,
  askedCallback,
  type Callback,
  checkCallback,
} from "#gateway/events/webhooks/callbacks.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { deriveKeys } from "#gateway/platform/core/console-secret.ts";
import { type Answer, answerOnce, type Produce } from "#gateway/platform/http/idempotency.ts";
import { writeTokenHeaders } from "#gateway/platform/http/limits.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { sessionOf } from "#gateway/platform/http/session-headers.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { keepContent } from "#gateway/runs/contents/keep.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type GuardedWork, withGuards } from "#gateway/runs/guards/with-guards.ts";
import { type Admitted, assertMayHave, type OperationInput } from "#gateway/runs/operations/admit.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { Candidates } from "#gateway/runs/operations/candidates.ts";
import { loggedConversation } from "#gateway/runs/operations/conversation.ts";
import { dispatch } from "#gateway/runs/operations/dispatch.ts";
import { metadataHeader, readableMetadata, withWorkload } from "#gateway/runs/operations/metadata.ts";
import type { OutputCheck } from "#gateway/runs/operations/output-check.ts";
import { wishHeader } from "#gateway/runs/operations/provider-wishes.ts";
import { tracedUnless, usageOfSync, withSyncRequest } from "#gateway/runs/operations/sync-request.ts";
import type { TellTokens } from "#gateway/runs/operations/token-rates.ts";
import { execute } from "#gateway/runs/operations/upstream-chat.ts";
import { type AdmittedRun, withBudget } from "#gateway/runs/operations/with-budget.ts";
import { acceptPrediction } from "#gateway/runs/predictions/accept.ts";
import { preferredWait, waitForPrediction } from "#gateway/runs/predictions/follow.ts";
import { findPredictionOfRequest } from "#gateway/runs/predictions/read.ts";
import { type PredictionRow, predictionUrl, predictionView } from "#gateway/runs/predictions/view.ts";
import { aliasHeader, answerOf, ignoredHeader } from "./answers.ts";
import {
  type ChatCompletionObject,
  type ChatFormatter,
  type ChatFront,
  chatCompletions,
  formatWhole,
} from "./chat-front.ts";
import { refusalOf, replayChat, StreamTo, streamChat } from "./chat-stream.ts";

const pollAfterSeconds = 2;

/** Additional data for a run that is stored as a job for a worker. */
export interface KeptJob {
  assertHeld: () => Promise<void>;
  /** The receiver that the request names, checked. */
  callback: Callback | null;
}

export interface OperationCall extends OperationInput {
  /** Equal requests have equal fingerprints. */
  fingerprint: unknown;
  /** Sent to the generic route, so the answer has Replicate's format. */
  isGeneric?: true;
  /** Response format, when it is not Chat Completions. */
  front?: ChatFront;
  /** Saves the run as a job for a worker instead of running it now, and answers with the job. */
  accept?: (admitted: Admitted, run: AdmittedRun, kept: KeptJob) => Promise<Answer>;
  /** Sends an answer that is more than a body, such as a stream. */
  send?: (answer: Answer) => Promise<FastifyReply>;
  /** The form of a prediction in the answer, when it is not the usual one. */
  view?: (context: RunsContext, row: PredictionRow, clearance: Clearance) => object;
  /** The callback of a request in Replicate's format. */
  callback?: AskedCallback;
}

/** The one path of every operation: admit → once → budget → guards → sync, stream, prediction or job → guards. */
export async function runOperation(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  call: OperationCall,
): Promise<FastifyReply> {
  const { actor } = request.caller;
  // Set before all checks, so that the log shows the metadata and the model of refused requests too.
  request.operationMetadata = withWorkload(
    actor,
    readableMetadata(call.body, request.headers[metadataHeader]),
  );
  request.operationAsked = call.body;
  const trace = new RunTrace(reply.elapsedTime);
  request.operationTrace = trace;
  const attempts = new Attempts(context, trace);
  const candidates = await Candidates.of(context, actor, withHeaders(request, call), attempts);
  const admitted = recorded(request, await candidates.admit());
  request.trace?.reached("admitted");
  const { operation } = admitted.compiled;
  const streams = operation.execution_mode === "sync-or-stream" && admitted.body.stream === true;
  const signal = endSignal(context, reply, streams ? actor : null);
  const callback = await callbackOf(context, request, call, admitted);
  const front = call.front ?? chatCompletions(admitted.body);
  const streamTo = streams ? new StreamTo(reply, front, trace) : null;
  const asked = { request, reply, admitted, candidates, attempts, signal, streamTo };
  // Only new runs are reserved in budgets: the stored answer for a repeated Idempotency-Key was already
  // charged.
  const produce: Produce = (assertHeld, keep) => run(context, asked, call, { assertHeld, callback }, keep);
  const [secret] = deriveKeys(context.config, "conversations");
  // Assigned to a constant first, as `usage` below.
  const conversation = () => loggedConversation(secret, admitted);
  request.operationConversation = conversation;
  const recover = async (requestId: string): Promise<Answer | null> => {
    if (!candidates.isAlias && !isAsync(admitted)) return null;
    const row = await findPredictionOfRequest(context, actor.accountId, requestId);
    return row && (await predictionAnswer(context, admitted, { row, waitedSeconds: null }, call.view));
  };
  let answer: Answer;
  try {
    answer = await answerOnce(context, request, actor, call.fingerprint, produce, {
      recover,
      leavesNoTrace: !call.accept && (candidates.isAlias || !isAsync(admitted)),
    });
  } catch (error) {
    throw refusalOf(signal) ?? error;
  }
  const isReplayed = answer.headers["idempotent-replayed"] !== undefined;
  if (candidates.isAlias && isReplayed)
    for (const model of modelsOf(answer)) await assertMayHave(context, actor, model);
  if (streamTo) {
    if (!streamTo.wire) await replayChat(streamTo, admitted, answer.body as ChatCompletionObject);
    return reply;
  }
  const shown = inFormOf(context, call, answer);
  return call.send?.(shown) ?? reply.code(shown.status).headers(shown.headers).send(shown.body);
}

/** The call with its facts from the headers of the request. */
function withHeaders({ headers, caller }: FastifyRequest, call: OperationInput): OperationInput {
  const { [metadataHeader]: sentBeside, [wishHeader]: wishedBeside } = headers;
  return {
    ...call,
    session: sessionOf(headers),
    ...(sentBeside !== undefined && { sentBeside }),
    ...(wishedBeside !== undefined && { wishedBeside }),
    declinesContents: call.declinesContents || caller.declinesContents === true,
  };
}

/**
 * Aborted when the client disconnects, when the process stops, and for a stream when the credential of
 * `streaming` is no longer valid.
 */
function endSignal(context: RunsContext, reply: FastifyReply, streaming: Actor | null): AbortSignal {
  const abort = new AbortController();
  const stopWaiting = context.drain.onEnd(() => abort.abort(stopping()));
  whenClosed(reply.raw, () => {
    stopWaiting();
    if (!reply.raw.writableFinished) abort.abort();
  });
  if (!streaming) return abort.signal;
  // Made when it is needed: the stack of an error takes time, which the first token would wait for.
  const ended = () => abort.abort(revoked());
  whenClosed(reply.raw, context.credentials.watch(streaming, "operations:run", ended));
  return abort.signal;
}

function revoked(): ApiError {
  return new ApiError(
    "revoked_api_key",
    "This credential was revoked or expired during the request. Use a valid one.",
  );
}

function stopping(): ApiError {
  return new ApiError(
    "service_unavailable",
    "This gateway process is stopping and could not finish the request in time. The request may have run.",
  );
}

/**
 * The callback that the request names in its body or header, checked; null without one. Throws as
 * `checkCallback`.
 */
async function callbackOf(
  context: RunsContext,
  request: FastifyRequest,
  call: OperationCall,
  admitted: Admitted,
): Promise<Callback | null> {
  const asked = call.callback ?? askedCallback(request, admitted.callbackUrl);
  if (!asked) return null;
  if (!isAsync(admitted) && !call.accept)
    throw invalidParameter(
      asked.param,
      `${admitted.compiled.model.id} returns its result in the response itself. Leave ${asked.param} out.`,
    );
  return checkCallback(context, admitted.actor, asked);
}

/** The models of an alias that answered: several if a stream was continued. */
function modelsOf({ headers, body }: Answer): readonly string[] {
  const { model, svc_continued: models } = body as { model: string; svc_continued?: readonly string[] };
  return models ?? [headers["x-svc-model"] ?? model];
}

/** Records the model for the request log. */
function recorded(request: FastifyRequest, admitted: Admitted): Admitted {
  request.operationModel = admitted.compiled.model.id;
  request.operationSchema = admitted.compiled.operation.input_schema;
  request.operationRegion = admitted.region;
  request.operationAlias = admitted.alias ?? null;
  request.operationMetadata = admitted.metadata;
  request.operationContents = admitted.contents;
  return admitted;
}

/** Keeps what an answer said, or the error instead of it. The answer does not wait for that. */
async function keptAnswer(
  context: RunsContext,
  request: FastifyRequest,
  running: Promise<Answer>,
  ran: () => Admitted,
): Promise<Answer> {
  const keep = (answer: Answer | null, error: unknown): void => {
    const runId = request.operationTrace?.runId;
    if (!runId) return;
    const failure =
      error instanceof ApiError ? error.body(request.id).error : error === null ? request.failure : null;
    keepContent(context, {
      admitted: ran(),
      runId,
      requestId: request.id,
      answer: answer?.body,
      failure,
      isCut: answer === null || answer.isPartial === true,
    });
  };
  try {
    const answer = await running;
    keep(answer, null);
    return answer;
  } catch (error) {
    keep(null, error);
    throw error;
  }
}

function isAsync({ compiled }: Admitted): boolean {
  return compiled.operation.execution_mode === "async";
}

function whole(front: ChatFront, { body }: Answer): ChatFormatter {
  const completion = body as ChatCompletionObject;
  return formatWhole(front.begin(completion, false), completion);
}

/** The answer in the form of the API that the caller used. */
function inFormOf(
  context: RunsContext,
  { isGeneric, front }: Pick<OperationCall, "isGeneric" | "front">,
  answer: Answer,
): Answer {
  if (isGeneric) return asPrediction(context, answer);
  return front ? { ...answer, body: whole(front, answer).body() } : answer;
}

/** An admitted request, and what its run needs. */
interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  admitted: Admitted;
  candidates: Candidates;
  attempts: Attempts;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  streamTo: StreamTo | null;
}

/** Runs the request on the model that admitted it, or on the next ones of its alias, and keeps its contents. */
function run(
  context: RunsContext,
  { request, reply, admitted, candidates, attempts, signal, streamTo }: Asked,
  { accept, front, view }: Pick<OperationCall, "accept" | "front" | "view">,
  kept: KeptJob,
  keep: Parameters<Produce>[1],
): Promise<Answer> {
  const { trace } = attempts;
  const log = request.log as ProviderRequest["log"];
  const guarded: GuardedWork = { requestId: request.id, candidates, trace, signal, log, passed: new Set() };
  let ran = admitted;
  const work = (next: Admitted, its: AdmittedRun): Promise<Answer> => {
    ran = recorded(request, next);
    trace.runId = its.id;
    if (accept) return accept(next, its, kept);
    if (isAsync(next))
      return runAsync(context, next, its, request, signal, kept).then((accepted) =>
        predictionAnswer(context, next, accepted, view),
      );
    const { check = null } = its;
    return withSyncRequest(context, next, its, { signal, log }, async (sent) => {
      if (streamTo)
        return streamChat(context, next, sent, streamTo, { attempts, candidates, guarded, check, keep });
      const whole = await runWhole(context, next, sent, request, attempts, check);
      if (front) await keepWhole(front, whole, context.prices.book.currency);
      return whole.answer;
    });
  };
  const tell: TellTokens = (taken, perMinute) => writeTokenHeaders(request, reply, taken, perMinute);
  const running = candidates.run(admitted, (next) => {
    recorded(request, next);
    // A worker asks the guards when it runs a stored job.
    return accept
      ? withBudget(context, next, (its) => work(next, its), tell)
      : withGuards(context, next, guarded, work, tell);
  });
  const isKept = admitted.contents === "kept" && !accept;
  const answer = isKept ? keptAnswer(context, request, running, () => ran) : running;
  return streamTo ? answer.catch((error: unknown) => streamTo.fail(error, signal)) : answer;
}

/** A whole answer, the provider that gave it, and what it costs. */
interface WholeRun {
  answer: Answer;
  provider: string;
  priced: Priced;
}

async function runWhole(
  context: RunsContext,
  admitted: Admitted,
  sent: ProviderRequest,
  request: FastifyRequest,
  attempts: Attempts,
  check: OutputCheck | null,
): Promise<WholeRun> {
  const told = tracedUnless(check);
  const served = await dispatch(context, { request: sent, admitted, attempts, run: execute, told });
  const { result } = served;
  request.operationRegion = served.region;
  // Assigned to a constant first: V8 would allocate a closure that is assigned directly in its old
  // generation, with everything that it references.
  const usage = () => result.usage;
  request.operationUsage = usage;
  if (result.kind === "chat") {
    const { usage: tokens } = result.completion;
    attempts.trace.tokensOut = tokens.completion_tokens;
    attempts.trace.tokensCached = cachedTokens(tokens);
  }
  const used = usageOfSync(context, admitted, served);
  request.operationRun = used;
  const settled = context.budgets.settleSoon(used);
  try {
    const allowed = check ? { ...served, result: await check.result(result) } : served;
    const answer = await answerOf(context, admitted, sent.id, allowed, { signal: sent.signal, check });
    const price = costHeader(used.priced, context.prices.book.currency);
    if (price !== null) answer.headers["x-svc-cost"] = price;
    return { answer, provider: served.provider.id, priced: used.priced };
  } finally {
    // A refusal of the output is answered after it as well.
    await settled;
  }
}

/** Adds the cost to a whole answer that another API shows, and stores it where that API does. */
async function keepWhole(
  front: ChatFront,
  { answer, provider, priced }: WholeRun,
  currency: string,
): Promise<void> {
  (answer.body as ChatCompletionObject).svc_cost = costOf(priced, currency);
  if (front.keep) await front.keep(whole(front, answer), provider);
}

/** A prediction of this request, and how long the caller wanted to wait for its end; null: not at all. */
interface Accepted {
  row: PredictionRow;
  waitedSeconds: number | null;
}

async function runAsync(
  context: RunsContext,
  admitted: Admitted,
  its: AdmittedRun,
  request: FastifyRequest,
  signal: AbortSignal,
  { assertHeld, callback }: KeptJob,
): Promise<Accepted> {
  const accepted = await acceptPrediction(context, admitted, its, {
    requestId: request.id,
    signal,
    beforeWriting: assertHeld,
    ...(callback && { callback }),
  });
  const waitedSeconds = preferredWait(request.headers.prefer);
  if (waitedSeconds === null) return { row: accepted, waitedSeconds };
  // The prediction is already accepted: a failed wait must not create a second one.
  const row = await waitForPrediction(context, accepted, waitedSeconds, signal).catch((error) => {
    request.log.warn({ err: error }, "the wait for a prediction failed");
    return accepted;
  });
  return { row, waitedSeconds };
}

async function predictionAnswer(
  context: RunsContext,
  admitted: Admitted,
  { row, waitedSeconds }: Accepted,
  view: OperationCall["view"] = predictionView,
): Promise<Answer> {
  const done = waitedSeconds !== null && isTerminal(row.status);
  const clearance = await Clearance.of(context, admitted.actor, [row.model]);
  return {
    status: done ? 200 : 202,
    headers: {
      "content-type": "application/json; charset=utf-8",
      location: predictionUrl(context, row.id),
      "x-svc-region": row.svcRegion,
      ...aliasHeader(admitted),
      ...(!done && { "retry-after": String(pollAfterSeconds) }),
      ...ignoredHeader(admitted.ignored),
      ...(waitedSeconds !== null && { "preference-applied": `wait=${waitedSeconds}` }),
    },
    body: view(context, row, clearance),
  };
}

/**
 * A sync result in Replicate's format, for the generic route: already `succeeded`, with the result as
 * `output` (URLs of images, the text of a chat or transcription, speech as a data URI). Async answers are
 * already predictions.
 */
function asPrediction(context: RunsContext, answer: Answer): Answer {
  if (Buffer.isBuffer(answer.body)) {
    const type = answer.headers["content-type"] ?? "application/octet-stream";
    const isText = type.includes("charset=utf-8");
    const output = isText
      ? answer.body.toString("utf8")
      : `data:${type};base64,${answer.body.toString("base64")}`;
    return succeeded(context, answer, {}, output);
  }
  const body = answer.body as Record<string, unknown>;
  if (body.object === "prediction") return { ...answer, body: withoutProcessing(body) };
  if (body.error !== undefined) return answer;
  const output = outputOf(body);
  const isChat = Array.isArray(body.choices) && typeof output === "string";
  return succeeded(context, answer, body, output, isChat ? { stream: streamOf(output) } : {});
}

/**
 * Shows `processing` as `starting`, because Replicate's `run` treats every other status as the end and would
 * return no output.
 */
function withoutProcessing(prediction: Record<string, unknown>): Record<string, unknown> {
  return prediction.status === "processing" ? { ...prediction, status: "starting" } : prediction;
}

/**
 * The text as events for Replicate's `stream`, inside the URL itself: its clients do not announce that they
 * will stream, so the chat is already complete.
 */
function streamOf(text: string): string {
  const lines = text.split("\n").map((line) => `data: ${line}\n`);
  const events = `event: output\nid: 1\n${lines.join("")}\nevent: done\nid: 2\ndata: {}\n\n`;
  return `data:text/event-stream;base64,${Buffer.from(events).toString("base64")}`;
}

function succeeded(
  context: RunsContext,
  answer: Answer,
  body: Record<string, unknown>,
  output: unknown,
  urls: { stream?: string } = {},
): Answer {
  const now = clock.date().toISOString();
  const id = answer.headers["x-svc-generation-id"] ?? "";
  return {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json; charset=utf-8" },
    body: {
      ...body,
      id,
      object: "prediction",
      status: "succeeded",
      output,
      error: null,
      completed_at: now,
      // Replicate's clients require this URL. They do not read it, because the prediction is already
      // complete.
      urls: { get: predictionUrl(context, id), ...urls },
    },
  };
}

function outputOf(body: Record<string, unknown>): unknown {
  const { choices, data, text } = body as {
    choices?: { message: { content: string | null } }[];
    data?: unknown;
    text?: string;
  };
  if (choices) return choices[0]?.message.content ?? null;
  if (Array.isArray(data))
    return data.map((file: { url?: string; b64_json?: string }) => file.url ?? file.b64_json);
  return text ?? data ?? null;
}
