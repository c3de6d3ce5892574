import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Cost } from "#contract/money/cost.ts";
import { costOf } from "#gateway/billing/prices/cost-view.ts";
import { unbilledRun } from "#gateway/billing/prices/price-lines.ts";
import { type RunUsage, usageOfOperation } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import type { ChatChunk, ChatUsage, Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { drained } from "#gateway/platform/http/drained.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { asApiError, begin, type Served } from "#gateway/runs/operations/dispatch.ts";
import { tracedChat } from "#gateway/runs/operations/traced-answer.ts";
import { aliasHeader, operationHeaders, unixNow } from "./answers.ts";
import { type ChatCompletionObject, type ChatFront, type ChatTelling, chunkOf } from "./chat-front.ts";
import { createTranscript, type Transcript } from "./chat-transcript.ts";

/** Headers are sent at the first upstream byte or after this time, whichever comes first. */
const commitAfterMs = 10_000;
const keepaliveMs = 15_000;
/** A client that reads nothing for this long is disconnected. */
const stalledMs = 60_000;
/** The code sent for a failure in mid-stream that the client did not cause. */
const brokenCode = "upstream_stream_interrupted";

interface Opened {
  iterator: AsyncIterator<ChatChunk>;
  first: IteratorResult<ChatChunk>;
}

/** Where a streamed chat goes, and how it is said there. */
export interface StreamTo {
  reply: FastifyReply;
  front: ChatFront;
}

/**
 * Streams a chat. Before the headers are sent a failure is an ordinary error answer; after that it is sent in the stream,
 * which then ends. Returns the completion, which can be replayed if complete.
 */
export async function streamChat(
  context: Context,
  admitted: Admitted,
  request: ProviderRequest,
  { reply, front }: StreamTo,
  trace: RunTrace,
): Promise<Answer> {
  const created = unixNow();
  const { currency } = context.prices.book;
  const transcript = createTranscript(request);
  const usage = (): Usage => {
    const { total_tokens: quantity, completion_tokens: tokensOut } = transcript.usage();
    trace.tokensOut = tokensOut;
    return { unit: "token", quantity };
  };
  const opening = begin<Opened>(context, {
    request,
    otherRegions: admitted.otherRegions,
    routes: admitted.routes,
    trace,
    async run(provider, there) {
      const iterator = provider.stream(there)[Symbol.asyncIterator]();
      const first = await iterator.next();
      trace.began();
      return { iterator, first };
    },
  }).catch((error) => {
    throw refusalOf(request.signal) ?? error;
  });
  const early = await Promise.race([opening, waitFor(commitAfterMs)]);
  const wire = commit(reply, admitted, request.id, early);
  let isWhole = false;
  let served = early;
  let ran = request;
  const stamp = { id: request.id, created, model: request.model.id, svc_region: request.region };
  let telling: ChatTelling | null = null;
  /** Once nothing more is said: what was used, and what it costs. */
  let run: RunUsage | null = null;
  const metered = (tokens = transcript.usage()): RunUsage => {
    const used = { unit: "token", quantity: tokens.total_tokens } as const;
    return usageOfOperation(context.prices.book, admitted, ran, served?.provider ?? null, used, {
      tokens,
      serviceTier: transcript.serviceTier(),
    });
  };
  /** No output, no charge. */
  const settle = (ended: RunUsage): void => {
    if (transcript.choices().length === 0) return;
    reply.request.operationRun = ended;
    context.budgets.settle(ended);
  };
  const interrupt = async (failure: ApiError) => {
    const { error } = failure.body(reply.request.id);
    const code = failure.status >= 500 ? brokenCode : failure.code;
    reply.request.errorCode = code;
    await wire.write((telling ?? front.begin(stamp, true)).failure({ ...error, code }));
  };
  const ending = Promise.withResolvers<void>();
  reply.request.operationEnding = ending.promise;
  try {
    served ??= await opening;
    served.traced?.hasBegun();
    ran = served.request;
    reply.request.operationRegion = ran.region;
    reply.request.operationUsage = usage;
    telling = front.begin({ ...stamp, svc_region: ran.region }, true);
    isWhole = await forward(wire, served.result, { telling, transcript, signal: ran.signal });
    if (isWhole) {
      served.traced?.answered(tracedChat({ choices: transcript.choices(), usage: transcript.usage() }));
      served.report(null);
      run = metered();
      // Before the end is sent: a caller who has read it is billed, even if this process is killed now.
      settle(run);
      const end = telling.end(completionOf(ran, created, transcript, costOf(run.priced, currency)));
      await front.keep?.(telling);
      await wire.write(end);
    }
  } catch (error) {
    if (!request.signal.aborted) {
      const failure = asApiError(error);
      if (!isWhole) served?.report(failure);
      isWhole = false;
      await interrupt(failure);
    }
  } finally {
    served?.leave();
    if (served) trace.answered();
    const refusal = refusalOf(request.signal);
    if (refusal) await interrupt(refusal);
    trace.bytesOut = wire.bytes();
    wire.end();
    if (run === null && transcript.choices().length > 0) {
      const billed = billedOfCut(served?.provider, transcript);
      run = metered(billed ?? undefined);
      if (billed === null) run.priced = unbilledRun;
      settle(run);
    }
    reply.request.operationEnding = null;
    ending.resolve();
  }
  const body = completionOf(ran, created, transcript, run && costOf(run.priced, currency));
  return { status: 200, headers: {}, body, ...(!isWhole && { isPartial: true }) };
}

/** A stored completion as a stream of one chunk, for a replayed `Idempotency-Key`. */
export async function replayChat(
  { reply, front }: StreamTo,
  admitted: Admitted,
  completion: ChatCompletionObject,
): Promise<void> {
  const replayed = { "x-svc-region": completion.svc_region, "idempotent-replayed": "true" };
  const wire = commit(reply, admitted, completion.id, null, replayed);
  const telling = front.begin(completion, true);
  await wire.write(telling.head() + telling.chunk(chunkOf(completion)) + telling.end(completion));
  wire.end();
}

interface Wire {
  /** What was sent after the headers. */
  bytes(): number;
  write(text: string): Promise<void>;
  end(): void;
}

function commit(
  reply: FastifyReply,
  admitted: Admitted,
  id: string,
  served: Served<unknown> | null,
  extra: Record<string, string> = {},
): Wire {
  // The region is not known yet if several are possible and the answer has not begun.
  const asked = admitted.otherRegions.length === 0 ? { "x-svc-region": admitted.region } : {};
  const known = served ? operationHeaders(admitted, id, served) : { ...asked, ...aliasHeader(admitted) };
  reply.headers({
    ...known,
    ...extra,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  const headers = reply.getHeaders();
  const raw: ServerResponse = reply.raw;
  raw.writeHead(200, headers as Record<string, string>);
  reply.hijack();
  raw.flushHeaders();
  // Not to a client that does not read: a write would restart its time-out.
  const keepalive = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(": keepalive\n\n");
  }, keepaliveMs);
  const socket = raw.socket;
  const before = socket?.bytesWritten ?? 0;
  return {
    bytes: () => Math.max(0, (socket?.bytesWritten ?? 0) - before),
    async write(text) {
      if (raw.destroyed) return;
      keepalive.refresh();
      if (!raw.write(text) && !(await drained(raw, { idleMs: stalledMs }))) raw.destroy();
    },
    end() {
      clearInterval(keepalive);
      raw.end();
    },
  };
}

interface Run {
  telling: ChatTelling;
  transcript: Transcript;
  signal: AbortSignal;
}

/** Whether the upstream said all of it to a client that is still there. */
async function forward(wire: Wire, opened: Opened, run: Run): Promise<boolean> {
  const { telling, transcript, signal } = run;
  const head = telling.head();
  if (head !== "") await wire.write(head);
  for (let step = opened.first; !step.done; step = await opened.iterator.next()) {
    transcript.add(step.value);
    const said = telling.chunk(step.value);
    if (said !== "") await wire.write(said);
    if (signal.aborted) return false;
  }
  return true;
}

/** Why the gateway itself ended a run: its credential is no longer valid, or the process ends. Null when its client left. */
export function refusalOf({ reason }: AbortSignal): ApiError | null {
  return reason instanceof ApiError ? reason : null;
}

/** What a stream that ended early is billed for, by what its provider bills; null: nothing. */
function billedOfCut(provider: Provider | undefined, transcript: Transcript): ChatUsage | null {
  const rule = provider?.sandbox ? "counted" : (provider?.cutStreams ?? "counted");
  if (rule === "nothing") return null;
  return rule === "reported" ? transcript.reported() : transcript.usage();
}

function completionOf(
  { id, model, region }: ProviderRequest,
  created: number,
  transcript: Transcript,
  cost: Cost | null,
): ChatCompletionObject {
  return {
    id,
    object: "chat.completion",
    created,
    model: model.id,
    svc_region: region,
    choices: transcript.choices(),
    usage: transcript.usage(),
    service_tier: transcript.serviceTier(),
    ...(cost && { svc_cost: cost }),
  };
}

function waitFor(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
