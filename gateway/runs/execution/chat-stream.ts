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
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { drained } from "#gateway/platform/http/unused-connections.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import type { Attempts } from "#gateway/runs/operations/attempts.ts";
import { createTranscript, type Transcript } from "#gateway/runs/operations/chat-transcript.ts";
import { asApiError, begin, type Served } from "#gateway/runs/operations/dispatch.ts";
import { type OpenedChat, openChat } from "#gateway/runs/operations/first-content.ts";
import { tracedChat } from "#gateway/runs/operations/traced-answer.ts";
import { aliasHeader, operationHeaders, unixNow } from "./answers.ts";
import {
  type ChatCompletionObject,
  type ChatFront,
  type ChatStamp,
  type ChatTelling,
  chunkOf,
} from "./chat-front.ts";

/** Headers are sent at the first upstream byte or after this time, whichever comes first. */
const commitAfterMs = 10_000;
const keepaliveMs = 15_000;
/** A client that reads nothing for this long is disconnected. */
const stalledMs = 60_000;
/** The code sent for a failure in mid-stream that the client did not cause. */
const brokenCode = "upstream_stream_interrupted";

/**
 * Where a streamed chat goes, and how it is said there. The headers may be sent while an upstream is still silent, and another upstream or
 * another model may answer after that: so it outlives them.
 */
export class StreamTo {
  readonly reply: FastifyReply;
  readonly front: ChatFront;
  /** Null: nothing was sent, not even headers. */
  wire: Wire | null = null;
  readonly #trace: RunTrace;
  readonly #sinceMs = performance.now();
  #stamp: ChatStamp | null = null;
  #telling: ChatTelling | null = null;

  constructor(reply: FastifyReply, front: ChatFront, trace: RunTrace) {
    this.reply = reply;
    this.front = front;
    this.#trace = trace;
  }

  /** What `opening` resolves with, or null when the headers must be sent before. */
  async early<Result>(opening: Promise<Result>): Promise<Result | null> {
    if (this.wire) return null;
    const leftMs = commitAfterMs - (performance.now() - this.#sinceMs);
    return await Promise.race([opening, waitFor(Math.max(0, leftMs))]);
  }

  /** Sends the headers, unless they were sent. `served`: who answers, where that is known. */
  commit(admitted: Admitted, stamp: ChatStamp, served: Served<unknown> | null): Wire {
    this.#stamp = stamp;
    this.wire ??= commit(this.reply, admitted, stamp.id, served);
    return this.wire;
  }

  begin(stamp: ChatStamp): ChatTelling {
    this.#telling = this.front.begin(stamp, true);
    return this.#telling;
  }

  /** Says in the stream why it ends. */
  async interrupt(failure: ApiError): Promise<void> {
    const { error } = failure.body(this.reply.request.id);
    const code = failure.status >= 500 ? brokenCode : failure.code;
    this.reply.request.errorCode = code;
    const telling = this.#telling ?? (this.#stamp && this.front.begin(this.#stamp, true));
    if (telling) await this.wire?.write(telling.failure({ ...error, code }));
  }

  end(): void {
    this.#trace.bytesOut = this.wire?.bytes() ?? null;
    this.wire?.end();
  }

  /** Nobody answered: ends the stream where its headers were sent, and throws where they were not. */
  async fail(error: unknown, signal: AbortSignal): Promise<Answer> {
    if (!this.wire) throw error;
    const failure = signal.aborted ? refusalOf(signal) : asApiError(error);
    if (failure) await this.interrupt(failure);
    this.end();
    this.wire.over();
    return { status: 200, headers: {}, body: null, isPartial: true };
  }
}

/**
 * Streams a chat. Until the first content a failure is thrown, so that another model may be asked; after that it is said in the stream,
 * which then ends. Returns the completion, which can be replayed if complete.
 */
export async function streamChat(
  context: Context,
  admitted: Admitted,
  request: ProviderRequest,
  to: StreamTo,
  attempts: Attempts,
): Promise<Answer> {
  const { reply, front } = to;
  const { trace } = attempts;
  const created = unixNow();
  const { currency } = context.prices.book;
  const transcript = createTranscript(request);
  const usage = (): Usage => {
    const { total_tokens: quantity, completion_tokens: tokensOut } = transcript.usage();
    trace.tokensOut = tokensOut;
    return { unit: "token", quantity };
  };
  const opening = begin<OpenedChat>(context, {
    request,
    otherRegions: admitted.otherRegions,
    routes: admitted.routes,
    attempts,
    async run(provider, there, limit) {
      const opened = await openChat(provider, there, limit);
      trace.began();
      return opened;
    },
  }).catch((error) => {
    throw refusalOf(request.signal) ?? error;
  });
  const stamp = { id: request.id, created, model: request.model.id, svc_region: request.region };
  const early = await to.early(opening);
  const wire = to.commit(admitted, stamp, early);
  const served = early ?? (await opening);
  const ran = served.request;
  let isWhole = false;
  /** Once nothing more is said: what was used, and what it costs. */
  let run: RunUsage | null = null;
  const metered = (tokens = transcript.usage()): RunUsage => {
    const used = { unit: "token", quantity: tokens.total_tokens } as const;
    return usageOfOperation(context.prices.book, admitted, ran, served.provider, used, {
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
  try {
    served.traced?.hasBegun();
    reply.request.operationRegion = ran.region;
    reply.request.operationUsage = usage;
    const telling = to.begin({ ...stamp, svc_region: ran.region });
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
      if (!isWhole) served.report(failure);
      isWhole = false;
      await to.interrupt(failure);
    }
  } finally {
    served.leave();
    trace.answered();
    const refusal = refusalOf(request.signal);
    if (refusal) await to.interrupt(refusal);
    to.end();
    if (run === null && transcript.choices().length > 0) {
      const billed = billedOfCut(served.provider, transcript);
      run = metered(billed ?? undefined);
      if (billed === null) run.priced = unbilledRun;
      settle(run);
    }
    wire.over();
  }
  const body = completionOf(ran, created, transcript, run && costOf(run.priced, currency));
  return { status: 200, headers: {}, body, ...(!isWhole && { isPartial: true }) };
}

/** A stored completion as a stream of one chunk, for a replayed `Idempotency-Key`. */
export async function replayChat(
  { reply, front }: Pick<StreamTo, "reply" | "front">,
  admitted: Admitted,
  completion: ChatCompletionObject,
): Promise<void> {
  const replayed = { "x-svc-region": completion.svc_region, "idempotent-replayed": "true" };
  const wire = commit(reply, admitted, completion.id, null, replayed);
  const telling = front.begin(completion, true);
  await wire.write(telling.head() + telling.chunk(chunkOf(completion)) + telling.end(completion));
  wire.end();
  wire.over();
}

interface Wire {
  /** What was sent after the headers. */
  bytes(): number;
  write(text: string): Promise<void>;
  end(): void;
  /** What was used is known: the request can be logged. */
  over(): void;
}

function commit(
  reply: FastifyReply,
  admitted: Admitted,
  id: string,
  served: Served<unknown> | null,
  extra: Record<string, string> = {},
): Wire {
  // The region is not known yet if several regions or models are possible and the answer has not begun.
  const isKnown = admitted.otherRegions.length === 0 && admitted.alias === undefined;
  const asked = isKnown ? { "x-svc-region": admitted.region } : {};
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
  const ending = Promise.withResolvers<void>();
  reply.request.operationEnding = ending.promise;
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
    over() {
      reply.request.operationEnding = null;
      ending.resolve();
    },
  };
}

interface Run {
  telling: ChatTelling;
  transcript: Transcript;
  signal: AbortSignal;
}

/** Whether the upstream said all of it to a client that is still there. */
async function forward(wire: Wire, { held, rest }: OpenedChat, run: Run): Promise<boolean> {
  const { telling, transcript, signal } = run;
  const head = telling.head();
  if (head !== "") await wire.write(head);
  const send = async (chunk: ChatChunk): Promise<void> => {
    transcript.add(chunk);
    const said = telling.chunk(chunk);
    if (said !== "") await wire.write(said);
  };
  for (const chunk of held) await send(chunk);
  if (held.length === 0) return true;
  for (;;) {
    if (signal.aborted) return false;
    const step = await rest.next();
    if (step.done) return true;
    await send(step.value);
  }
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
