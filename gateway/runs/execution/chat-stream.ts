import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Cost } from "#contract/money/cost.ts";
import { costOf, type Priced } from "#gateway/billing/prices/price-lines.ts";

import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import { chunkOf } from "#gateway/models/providers/chat-answers.ts";
import type { ChatChunk, ChatUsage, Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { drained, keepaliveMs, unbuffered } from "#gateway/platform/http/event-stream.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { type Attempts, recordFailedTry } from "#gateway/runs/operations/attempts.ts";
import type { Candidates } from "#gateway/runs/operations/candidates.ts";
import { createTranscript, type Transcript } from "#gateway/runs/operations/chat-transcript.ts";
import { asApiError, begin, isOfDatabase, type Served } from "#gateway/runs/operations/dispatch.ts";
import { hasContent, type OpenedChat, openChat } from "#gateway/runs/operations/first-content.ts";
import { tracedChat, usageOfCutStream, usageOfStream } from "#gateway/runs/operations/sync-request.ts";

import { operationHeaders, unixNow } from "./answers.ts";
import type { ChatCompletionObject, ChatFormatter, ChatFront, ChatStamp } from "./chat-front.ts";
import { continueStream, mayBeContinued, type Part } from "./continued-stream.ts";

/** A client that reads nothing for this long is disconnected. */
const stalledMs = 60_000;
/** The names of all providers that wrote a part: several if a broken stream was continued. */
const providersOf = (parts: readonly Part[]): string =>
  [...new Set(parts.map(({ served }) => served.provider.id))].join(", ");
/** Sent for a failure of an upstream in mid-stream. */
const brokenCode = "upstream_stream_interrupted";

/**
 * The client's connection for a streamed chat, and its format. The headers may be sent while an upstream is
 * still silent, and another upstream or model may answer after that, so this object outlives each attempt.
 */
export class StreamTo {
  /** Headers are sent at the first upstream byte or after this time, whichever comes first. */
  static commitAfterMs = 10_000;
  readonly reply: FastifyReply;
  readonly front: ChatFront;
  /** Null until anything was sent, which may be only headers. */
  wire: Wire | null = null;
  readonly #trace: RunTrace;
  readonly #sinceMs = performance.now();
  #stamp: ChatStamp | null = null;
  #formatter: ChatFormatter | null = null;

  constructor(reply: FastifyReply, front: ChatFront, trace: RunTrace) {
    this.reply = reply;
    this.front = front;
    this.#trace = trace;
  }

  /**
   * Resolves with the result of `opening`, or with null when the headers must be sent before there is a
   * result.
   */
  async early<Result>(opening: Promise<Result>): Promise<Result | null> {
    if (this.wire) return null;
    const leftMs = StreamTo.commitAfterMs - (performance.now() - this.#sinceMs);
    return await Promise.race([opening, waitFor(Math.max(0, leftMs))]);
  }

  /** Sends the headers, unless they were sent already. `served`: the provider that answers, if known. */
  commit(admitted: Admitted, stamp: ChatStamp, served: Served<unknown> | null): Wire {
    this.#stamp = stamp;
    this.wire ??= commit(this.reply, admitted, stamp.id, served);
    return this.wire;
  }

  begin(stamp: ChatStamp): ChatFormatter {
    this.#formatter = this.front.begin(stamp, true);
    return this.#formatter;
  }

  /** Ends the stream with this error. */
  async interrupt(failure: ApiError): Promise<void> {
    const { error } = failure.body(this.reply.request.id);
    const code = failure.status >= 500 && !isOfDatabase(failure) ? brokenCode : failure.code;
    this.reply.request.errorCode = code;
    const formatter = this.#formatter ?? (this.#stamp && this.front.begin(this.#stamp, true));
    if (formatter) await this.wire?.write(formatter.failure({ ...error, code }));
  }

  end(): void {
    this.#trace.bytesOut = this.wire?.bytes() ?? null;
    this.wire?.end();
  }

  /** No upstream answered: ends the stream if its headers were sent, otherwise throws. */
  async fail(error: unknown, signal: AbortSignal): Promise<Answer> {
    if (!this.wire) throw error;
    const failure = signal.aborted ? refusalOf(signal) : asApiError(error);
    if (failure) await this.interrupt(failure);
    this.end();
    this.wire.over();
    return { status: 200, headers: {}, body: null, isPartial: true };
  }
}

interface StreamOptions {
  attempts: Attempts;
  candidates: Candidates;
  /** Stores the whole answer for the request's `Idempotency-Key`. */
  keep: (answer: Answer) => Promise<void>;
}

/**
 * Streams a chat. A failure before the first content is thrown, so that another model may be tried. After the
 * first content the stream is continued elsewhere if its route or alias allows it (`continued-stream.ts`);
 * otherwise the stream reports the failure and ends. Returns the completion, which was stored for replay if
 * it is complete.
 */
export async function streamChat(
  context: Context,
  admitted: Admitted,
  request: ProviderRequest,
  to: StreamTo,
  { attempts, candidates, keep }: StreamOptions,
): Promise<Answer> {
  const { reply, front } = to;
  const { trace } = attempts;
  const { signal } = request;
  const created = unixNow();
  const { currency } = context.prices.book;
  /** Everything that the caller has received, from the first part on. */
  const transcript = createTranscript(request);
  const parts: Part[] = [];
  const used = () => usageOfParts(parts);
  const open = (asked: Admitted, one: ProviderRequest, accepts?: (provider: Provider) => boolean) =>
    begin<OpenedChat>(context, {
      request: one,
      otherRegions: asked.otherRegions,
      routes: asked.routes,
      attempts,
      payer: asked,
      ...(accepts && { accepts }),
      async run(provider, there, limit) {
        const { patience, continuesStreams } = provider;
        const isContinued =
          (continuesStreams || attempts.continuesStreams) && mayBeContinued(there, provider);
        const mayHandOver = () => attempts.mayTry && candidates.canContinue(asked, provider);
        const later = isContinued && patience ? { ...patience, mayHandOver } : null;
        const opened = await openChat(provider, there, limit, later);
        if (parts.length === 0) trace.began();
        return opened;
      },
    });
  const opening = open(admitted, request).catch((error) => {
    throw refusalOf(signal) ?? error;
  });
  const stamp = { id: request.id, created, model: request.model.id, svc_region: request.region };
  const early = await to.early(opening);
  const wire = to.commit(admitted, stamp, early);
  const served = early ?? (await opening);
  const ran = served.request;
  const formatter = to.begin({ ...stamp, svc_region: ran.region });
  reply.request.operationRegion = ran.region;
  reply.request.operationUsage = (): Usage => {
    const { total_tokens: quantity, completion_tokens: tokensOut } = used();
    trace.tokensOut = tokensOut;
    return { unit: "token", quantity };
  };
  const streamed = ({ served, transcript }: Part) => ({ ...served, transcript });
  /** Text without output is not charged. */
  const settle = (part: Part, run: RunUsage): void => {
    part.run = run;
    part.usage = part.transcript.usage();
    if (part.transcript.choices().length === 0) return;
    reply.request.operationRun = { priced: pricedOfParts(parts) };
    context.budgets.settle(run);
  };
  /** Settles a part that broke or whose client disconnected. */
  const settleCut = (part: Part): void => {
    if (part.usage !== null) return;
    const run = usageOfCutStream(context, part.admitted, streamed(part));
    if (run) {
      settle(part, run);
      return;
    }
    part.usage = part.transcript.usage();
    const { provider, request } = part.served;
    recordFailedTry(context, part.admitted, { request, provider, nth: attempts.tries }, part.usage);
  };
  const answer = (): Answer => {
    const cost = parts.some(({ run }) => run) ? costOf(pricedOfParts(parts), currency) : null;
    const more = { usage: used(), cost, models: modelsOf(parts) };
    return { status: 200, headers: {}, body: completionOf(ran, created, transcript, more) };
  };
  /**
   * Sends a part to the client. Returns whether the answer is complete, from this upstream or from another
   * that continued it. Throws the failure that ends the answer.
   */
  const say = async (part: Part, shape?: (chunk: ChatChunk) => ChatChunk): Promise<boolean> => {
    parts.push(part);
    part.served.traced?.hasBegun();
    try {
      const transcripts = part.transcript === transcript ? [transcript] : [transcript, part.transcript];
      const isWhole = await forward(wire, part.served.result, {
        formatter,
        transcripts,
        signal,
        answers: part.served.answers,
        ...(shape && { shape }),
      });
      if (!isWhole) return false;
      part.served.traced?.answered(tracedOf(part.transcript));
      part.served.report(null);
      settle(part, usageOfStream(context, part.admitted, streamed(part)));
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const failure = asApiError(error);
      part.served.report(failure);
      settleCut(part);
      const begun = { part, failure, transcript, attempts, candidates };
      return await continueStream(context, begun, { signal, log: request.log }, { open, say });
    } finally {
      part.served.leave();
    }
  };
  let sent: Answer | null = null;
  try {
    if (await say({ admitted, served, transcript, run: null, usage: null })) {
      const whole = answer();
      const end = formatter.end(whole.body as ChatCompletionObject);
      await front.keep?.(formatter, providersOf(parts));
      await keep(whole);
      await wire.write(end);
      sent = whole;
    }
  } catch (error) {
    if (!signal.aborted) await to.interrupt(asApiError(error, context.database));
  } finally {
    trace.answered();
    const refusal = refusalOf(signal);
    if (refusal) await to.interrupt(refusal);
    to.end();
    for (const part of parts) settleCut(part);
    wire.over();
  }
  return sent ?? { ...answer(), isPartial: true };
}

/** The sum of the tokens of all parts. */
function usageOfParts(parts: readonly Part[]): ChatUsage {
  const [first, ...others] = parts.map(({ transcript, usage }) => usage ?? transcript.usage());
  if (!first) return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  return others.reduce(
    (sum, { prompt_tokens, completion_tokens, total_tokens }) => ({
      prompt_tokens: sum.prompt_tokens + prompt_tokens,
      completion_tokens: sum.completion_tokens + completion_tokens,
      total_tokens: sum.total_tokens + total_tokens,
    }),
    first,
  );
}

/** The cost of all parts together; not priced if any part has no price. */
function pricedOfParts(parts: readonly Part[]): Priced {
  const priced = parts.flatMap(({ run }) => (run ? [run.priced] : []));
  const [first, ...others] = priced;
  if (first && others.length === 0) return first;
  const isPriced = priced.every(({ charge }) => charge !== null);
  const amount = priced.reduce((sum, { charge }) => sum + (charge?.amount ?? 0n), 0n);
  return {
    cost: null,
    charge: isPriced ? { amount, lines: [] } : null,
    markupId: null,
    reason: isPriced ? null : "not_priced",
  };
}

function modelsOf(parts: readonly Part[]): string[] | null {
  return parts.length > 1 ? parts.map(({ served }) => served.request.model.id) : null;
}

function tracedOf(transcript: Transcript) {
  return tracedChat({ choices: transcript.choices(), usage: transcript.usage() });
}

/** A stored completion as a stream of one chunk, for a replayed `Idempotency-Key`. */
export async function replayChat(
  { reply, front }: Pick<StreamTo, "reply" | "front">,
  admitted: Admitted,
  completion: ChatCompletionObject,
): Promise<void> {
  const replayed = {
    "x-svc-region": completion.svc_region,
    ...(admitted.alias !== undefined && { "x-svc-model": completion.model }),
    "idempotent-replayed": "true",
  };
  const wire = commit(reply, admitted, completion.id, null, replayed);
  const formatter = front.begin(completion, true);
  await wire.write(formatter.head() + formatter.chunk(chunkOf(completion)) + formatter.end(completion));
  wire.end();
  wire.over();
}

interface Wire {
  /** The number of bytes sent after the headers. */
  bytes(): number;
  write(text: string): Promise<void>;
  end(): void;
  /** Call when the usage is known, so that the request can be logged. */
  over(): void;
}

function commit(
  reply: FastifyReply,
  admitted: Admitted,
  id: string,
  served: Served<unknown> | null,
  extra: Record<string, string> = {},
): Wire {
  // While another region or model can still answer, the headers do not name the region.
  const isKnown = admitted.otherRegions.length === 0 && admitted.alias === undefined;
  const asked = isKnown ? { "x-svc-region": admitted.region } : {};
  const named = admitted.alias === undefined ? {} : { "x-svc-alias": admitted.alias };
  const known = served ? operationHeaders(admitted, id, served) : { ...asked, ...named };
  reply.headers({
    ...known,
    ...extra,
    "content-type": "text/event-stream; charset=utf-8",
    ...unbuffered,
  });
  const headers = reply.getHeaders();
  const raw: ServerResponse = reply.raw;
  raw.writeHead(200, headers as Record<string, string>);
  reply.hijack();
  raw.flushHeaders();
  // Skipped for a client that does not read: a write would restart its time-out.
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

interface Forwarded {
  formatter: ChatFormatter;
  transcripts: readonly Transcript[];
  signal: AbortSignal;
  /** Called at the first content. */
  answers(): void;
  /** Changes each forwarded chunk, for a part that continues another. */
  shape?: (chunk: ChatChunk) => ChatChunk;
}

/** Forwards a stream. Returns whether the upstream sent all of it and the client is still connected. */
async function forward(
  wire: Wire,
  { held, rest, watch }: OpenedChat,
  { formatter, transcripts, signal, answers, shape }: Forwarded,
): Promise<boolean> {
  let isSilent = true;
  const head = shape ? "" : formatter.head();
  if (head !== "") await wire.write(head);
  /** The event for a chunk. The loops await the writes directly: one more function per chunk costs time. */
  const textOf = (said: ChatChunk): string => {
    if (isSilent && hasContent(said)) {
      isSilent = false;
      answers();
    }
    const chunk = shape ? shape(said) : said;
    for (const transcript of transcripts) transcript.add(chunk);
    return formatter.chunk(chunk);
  };
  try {
    for (const chunk of held) {
      const text = textOf(chunk);
      if (text !== "") await wire.write(text);
    }
    if (held.length === 0) return true;
    for (;;) {
      if (signal.aborted) return false;
      const step = await rest.next();
      if (step.done) return true;
      if (watch && hasContent(step.value)) watch.heard();
      const text = textOf(step.value);
      if (text !== "") await wire.write(text);
    }
  } catch (error) {
    throw watch?.failure ?? error;
  } finally {
    watch?.stop();
  }
}

/**
 * The reason if the gateway ended the run: its credential is no longer valid, or the process stops. Null when
 * the client disconnected.
 */
export function refusalOf({ reason }: AbortSignal): ApiError | null {
  return reason instanceof ApiError ? reason : null;
}

function completionOf(
  { id, model, region }: ProviderRequest,
  created: number,
  transcript: Transcript,
  { usage, cost, models }: { usage: ChatUsage; cost: Cost | null; models: string[] | null },
): ChatCompletionObject {
  return {
    id,
    object: "chat.completion",
    created,
    model: model.id,
    svc_region: region,
    choices: transcript.choices(),
    usage,
    system_fingerprint: null,
    ...transcript.labels,
    ...(cost && { svc_cost: cost }),
    ...(models && { svc_continued: models }),
  };
}

function waitFor(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
