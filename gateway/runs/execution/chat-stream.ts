import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { costOf, type Priced } from "#gateway/billing/prices/price-lines.ts";
import { cachedTokens, type RunUsage } from "#gateway/billing/usage/lines.ts";
import { chunkOf } from "#gateway/models/providers/chat-answers.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk, ChatUsage, Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { drained, keepaliveMs, unbuffered } from "#gateway/platform/http/event-stream.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type GuardedWork, withGuards } from "#gateway/runs/guards/with-guards.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { type Attempts, reasonToGoOn, recordFailedTry } from "#gateway/runs/operations/attempts.ts";
import type { Candidates } from "#gateway/runs/operations/candidates.ts";
import {
  asApiError,
  type Begun,
  begin,
  isOfDatabase,
  type Served,
} from "#gateway/runs/operations/dispatch.ts";
import type { OutputCheck } from "#gateway/runs/operations/output-check.ts";
import {
  tracedChat,
  usageOfCutStream,
  usageOfStream,
  withoutMessages,
  withSyncRequest,
} from "#gateway/runs/operations/sync-request.ts";
import {
  createTranscript,
  type OpenedChat,
  openChat,
  type ProviderCall,
  type Transcript,
} from "#gateway/runs/operations/upstream-chat.ts";
import { operationHeaders, unixNow } from "./answers.ts";
import type { ChatCompletionObject, ChatFormatter, ChatFront, ChatStamp } from "./chat-front.ts";

/** A client that reads nothing for this long is disconnected. */
const stalledMs = 60_000;
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

  /** Forwards a stream. Returns whether the upstream sent all of it and the client is still connected. */
  async forward(
    opened: OpenedChat,
    transcripts: readonly Transcript[],
    shape: Shape | null,
    { check, signal }: { check: OutputCheck | null; signal: AbortSignal },
  ): Promise<boolean> {
    const wire = this.wire as Wire;
    const formatter = this.#formatter as ChatFormatter;
    const head = shape ? "" : formatter.head();
    if (head !== "") await wire.write(head);
    return opened.read((said) => {
      const chunk = shape ? shape(said) : said;
      for (const transcript of transcripts) transcript.add(chunk);
      if (check?.take) return check.take(chunk).then((chunks) => this.send(chunks));
      const text = formatter.chunk(chunk);
      return text === "" ? undefined : wire.write(text);
    }, signal);
  }

  /** Sends chunks that were held back. */
  async send(chunks: readonly ChatChunk[]): Promise<void> {
    const text = chunks.map((chunk) => this.#formatter?.chunk(chunk) ?? "").join("");
    if (text !== "") await this.wire?.write(text);
  }

  /** Ends the stream with this error. */
  async interrupt(failure: ApiError): Promise<void> {
    const { error } = failure.body(this.reply.request.id);
    const isOurs = isOfDatabase(failure) || failure.code === "guard_unavailable";
    const code = failure.status >= 500 && !isOurs ? brokenCode : failure.code;
    this.reply.request.failure = { ...error, code };
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
  /** For the models that continue the stream. */
  guarded: GuardedWork;
  check: OutputCheck | null;
  /** Stores the whole answer for the request's `Idempotency-Key`. */
  keep: (answer: Answer) => Promise<void>;
}

/** A streamed answer, over all upstreams that write a part of it. */
interface StreamedAnswer {
  context: RunsContext;
  request: ProviderRequest;
  to: StreamTo;
  attempts: Attempts;
  candidates: Candidates;
  guarded: GuardedWork;
  /** Asks about the whole answer, whichever models write it. */
  check: OutputCheck | null;
  created: number;
  /** Everything that the caller has received, from the first part on. */
  transcript: Transcript;
  parts: Part[];
}

/** The part of a streamed answer that one upstream wrote. */
interface Part {
  admitted: Admitted;
  served: Begun<OpenedChat>;
  transcript: Transcript;
  /** Usage and cost; null until the part has ended. */
  run: RunUsage | null;
  usage: ChatUsage | null;
}

/** Changes each forwarded chunk, for a part that continues another. */
type Shape = (chunk: ChatChunk) => ChatChunk;

/**
 * Streams a chat. A failure before the first content is thrown, so that another model may be tried. After the
 * first content the stream is continued elsewhere if its route or alias allows it; otherwise the stream
 * reports the failure and ends. Returns the completion; `keep` stores it for the request's `Idempotency-Key`
 * if it is complete.
 */
export async function streamChat(
  context: RunsContext,
  admitted: Admitted,
  request: ProviderRequest,
  to: StreamTo,
  { attempts, candidates, guarded, check, keep }: StreamOptions,
): Promise<Answer> {
  const { reply, front } = to;
  const { trace } = attempts;
  const { signal } = request;
  const created = unixNow();
  const transcript = createTranscript(request);
  const parts: Part[] = [];
  const answer: StreamedAnswer = {
    ...{ context, request, to, attempts, candidates, guarded, check, created, transcript, parts },
  };
  const opening = open(answer, admitted, request).catch((error) => {
    throw refusalOf(signal) ?? error;
  });
  const stamp = { id: request.id, created, model: request.model.id, svc_region: request.region };
  const early = await to.early(opening);
  const wire = to.commit(admitted, stamp, early);
  const served = early ?? (await opening);
  const { region } = served.request;
  const formatter = to.begin({ ...stamp, svc_region: region });
  reply.request.operationRegion = region;
  // Assigned to a constant first, as in `runSync`.
  const usage = (): Usage => {
    const tokens = usageOfParts(parts);
    const { total_tokens: quantity } = tokens;
    trace.tokensOut = tokens.completion_tokens;
    trace.tokensCached = usagesOf(parts).reduce((sum, usage) => sum + cachedTokens(usage), 0);
    return { unit: "token", quantity };
  };
  reply.request.operationUsage = usage;
  let sent: Answer | null = null;
  try {
    if (await say(answer, { admitted, served, transcript, run: null, usage: null }, null)) {
      const whole = completionOf(answer, served.request);
      if (answer.check) await to.send(await answer.check.end(transcript.choices()));
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
    for (const part of parts) settleCut(answer, part);
    wire.over();
  }
  // What no guard has allowed is not kept either.
  if (!sent && answer.check) return { status: 200, headers: {}, body: null, isPartial: true };
  return sent ?? { ...completionOf(answer, served.request), isPartial: true };
}

/** The names of all providers that wrote a part: several if a broken stream was continued. */
function providersOf(parts: readonly Part[]): string {
  return [...new Set(parts.map(({ served }) => served.provider.id))].join(", ");
}

/** Starts the stream of an upstream. `accepts`: which providers may be tried. */
function open(
  { context, attempts, candidates, parts }: StreamedAnswer,
  admitted: Admitted,
  request: ProviderRequest,
  accepts: (provider: Provider) => boolean = () => true,
): Promise<Begun<OpenedChat>> {
  return begin<OpenedChat>(context, {
    request,
    admitted,
    attempts,
    accepts,
    async run(call) {
      const { provider } = call;
      const { patience } = provider;
      const mayHandOver = () => attempts.mayTry && candidates.canContinue(admitted, provider);
      const isContinued = patience && mayBeContinued(attempts, admitted, call);
      const opened = await openChat(call, isContinued ? { ...patience, mayHandOver } : null);
      if (parts.length === 0) attempts.trace.began();
      return opened;
    },
  });
}

/**
 * Sends a part to the client. Returns whether the answer is complete, from this upstream or from another that
 * continued it. Throws the failure that ends the answer.
 */
async function say(answer: StreamedAnswer, part: Part, shape: Shape | null): Promise<boolean> {
  const { context, request, to, transcript, parts } = answer;
  const { signal } = request;
  const { served } = part;
  parts.push(part);
  served.traced?.hasBegun();
  try {
    const transcripts = part.transcript === transcript ? [transcript] : [transcript, part.transcript];
    const { check } = answer;
    if (!(await to.forward(served.result, transcripts, shape, { check, signal }))) return false;
    const { transcript: own } = part;
    const traced = tracedChat({ choices: own.choices(), usage: own.usage() });
    served.traced?.answered(check ? withoutMessages(traced) : traced);
    served.report(null);
    settle(answer, part, usageOfStream(context, part.admitted, { ...served, transcript: own }));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const isRefused = error === answer.check?.refusal;
    const failure = asApiError(error);
    served.report(isRefused ? null : failure);
    settleCut(answer, part);
    if (isRefused) throw failure;
    return await continueStream(answer, part, failure);
  } finally {
    served.leave();
  }
}

/** Text without output is not charged. */
function settle({ context, to, parts }: StreamedAnswer, part: Part, run: RunUsage): void {
  part.run = run;
  part.usage = part.transcript.usage();
  if (part.transcript.choices().length === 0) return;
  to.reply.request.operationRun = { priced: pricedOfParts(parts) };
  context.budgets.settle(run);
}

/** Settles a part that broke or whose client disconnected. */
function settleCut(answer: StreamedAnswer, part: Part): void {
  if (part.usage !== null) return;
  const { context, attempts } = answer;
  const { admitted, served, transcript } = part;
  const run = usageOfCutStream(context, admitted, { ...served, transcript });
  if (run) {
    settle(answer, part, run);
    return;
  }
  part.usage = transcript.usage();
  recordFailedTry(context, admitted, { ...served, nth: attempts.tries }, part.usage);
}

/**
 * Whether a second upstream may continue the answer: only if the route or alias wants that and the caller does not
 * want only the first one, only plain text, and not in the upstream's own events.
 */
function mayBeContinued(
  { continuesStreams }: Attempts,
  { wish }: Admitted,
  { provider, request }: Pick<ProviderCall, "provider" | "request">,
): boolean {
  const { n, logprobs, response_format: format } = request.input;
  const isWanted = (provider.continuesStreams || continuesStreams) && wish?.isFirstOnly !== true;
  const isPlain = (recordOf(format).type ?? "text") === "text";
  const isNative = request.native !== undefined && provider.speaks === request.native.protocol;
  return isWanted && isPlain && !isNative && (n ?? 1) === 1 && logprobs !== true;
}

/**
 * Continues a broken stream with the next route or model that accepts a prefilled answer; text that was sent
 * is not sent again. Throws the failure that broke it if nothing can continue it. Returns false if the client
 * has disconnected.
 */
async function continueStream(answer: StreamedAnswer, part: Part, failure: ApiError): Promise<boolean> {
  const { context, attempts, candidates, transcript } = answer;
  const { signal, log } = answer.request;
  const { provider, request } = part.served;
  const text = mayBeContinued(attempts, part.admitted, part.served) ? begunText(transcript) : null;
  const reason = reasonToGoOn(failure, true);
  if (text === null || reason === null || !attempts.mayTry) throw failure;
  const { model, region, key = null } = request;
  attempts.trace.failed({ model: model.id, region, key }, failure.code, upstreamErrorOf(failure)?.status);
  attempts.failed(reason);
  // Some models refuse a prefilled answer that ends with a space, so trailing spaces are cut; the next part
  // then starts with the space.
  const prefilled = text.trimEnd();
  const sentSpaces = text.slice(prefilled.length);
  const spent = transcript.usage().completion_tokens;
  const accepts = (next: Provider) => next !== provider && next.acceptsPrefill === true;
  for (const admit of candidates.continuations(part.admitted, prefilled, spent)) {
    let hasBegun = false;
    try {
      const admitted = await admit();
      return await withGuards(context, admitted, answer.guarded, (passed, run) =>
        withSyncRequest(context, passed, run, { signal, log }, async (asked) => {
          answer.check ??= run.check ?? null;
          const served = await open(answer, passed, asked, accepts);
          hasBegun = true;
          const next = {
            admitted: passed,
            served,
            transcript: createTranscript(asked),
            run: null,
            usage: null,
          };
          return say(answer, next, continuing(sentSpaces, model.id, served.request.model.id));
        }),
      );
    } catch (error) {
      if (signal.aborted) return false;
      const isOver = hasBegun || !attempts.mayTry || reasonToGoOn(error, true) === null;
      if (isOver || !(error instanceof ApiError)) throw failure;
    }
  }
  throw failure;
}

/**
 * The text of an answer that can be continued; null if the answer has a tool call, has no text yet, or has
 * ended.
 */
function begunText(transcript: Transcript): string | null {
  const [choice, ...others] = transcript.choices();
  if (!choice || others.length > 0 || choice.finish_reason !== null) return null;
  const { content, tool_calls: calls, refusal } = choice.message;
  return content && !calls && !refusal ? content : null;
}

/**
 * Makes the chunks of a part follow the earlier ones: without a second opening chunk, and without spaces that
 * were already sent. The first chunk names the models of both parts.
 */
function continuing(sentSpaces: string, ...models: [string, string]): Shape {
  let owed = sentSpaces;
  let isFirst = true;
  return (chunk) => {
    const choices = chunk.choices.map(({ delta: { role: _, ...delta }, ...choice }) => {
      if (typeof delta.content !== "string" || owed === "") return { ...choice, delta };
      let same = 0;
      while (same < owed.length && delta.content[same] === owed[same]) same += 1;
      const content = delta.content.slice(same);
      owed = content === "" && same > 0 ? owed.slice(same) : "";
      return { ...choice, delta: { ...delta, content } };
    });
    const isMarked = isFirst && choices.length > 0;
    if (isMarked) isFirst = false;
    return { ...chunk, choices, ...(isMarked && { continued: models }) };
  };
}

function usagesOf(parts: readonly Part[]): ChatUsage[] {
  return parts.map(({ transcript, usage }) => usage ?? transcript.usage());
}

/** The sum of the tokens of all parts. */
function usageOfParts(parts: readonly Part[]): ChatUsage {
  const [first, ...others] = usagesOf(parts);
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
  const { socket } = raw;
  // Headers and a first token that is there already are sent as one packet.
  socket?.cork();
  raw.flushHeaders();
  process.nextTick(() => socket?.uncork());
  // Skipped for a client that does not read: a write would restart its time-out.
  const keepalive = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(": keepalive\n\n");
  }, keepaliveMs);
  const ending = Promise.withResolvers<void>();
  reply.request.operationEnding = ending.promise;
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

/**
 * The reason if the gateway ended the run: its credential is no longer valid, or the process stops. Null when
 * the client disconnected.
 */
export function refusalOf({ reason }: AbortSignal): ApiError | null {
  return reason instanceof ApiError ? reason : null;
}

/** The completion so far, as the first upstream's request names it. */
function completionOf(
  { context, created, transcript, parts }: StreamedAnswer,
  { id, model, region }: ProviderRequest,
): Answer {
  const cost = parts.some(({ run }) => run) && costOf(pricedOfParts(parts), context.prices.book.currency);
  const body: ChatCompletionObject = {
    id,
    object: "chat.completion",
    created,
    model: model.id,
    svc_region: region,
    choices: transcript.choices(),
    usage: usageOfParts(parts),
    system_fingerprint: null,
    ...transcript.labels,
    ...(cost && { svc_cost: cost }),
    ...(parts.length > 1 && { svc_continued: parts.map(({ served }) => served.request.model.id) }),
  };
  return { status: 200, headers: {}, body };
}

function waitFor(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
