import { saysSomething } from "#gateway/models/providers/chat-answers.ts";
import type {
  ChatChunk,
  Patience,
  Provider,
  ProviderRequest,
  SyncResult,
} from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { createTranscript, type Transcript } from "./chat-transcript.ts";

/** At most this many chunks without content are held back; a stream that sends more counts as begun. */
const maxHeldChunks = 1_000;

/** A silence limit that applies only while another upstream could be tried instead. */
export interface SilenceLimit extends Patience {
  /** Called when the limit is reached: whether another upstream can still be tried. */
  mayHandOver(): boolean;
  /** Called at the first content, and maybe later too. */
  answers?(): void;
}

/** A chat that has begun to answer: its chunks so far, and the remaining ones. */
export interface OpenedChat {
  held: readonly ChatChunk[];
  rest: AsyncIterator<ChatChunk>;
  /** Watches for silence between contents, if another upstream can continue the stream. */
  watch: Watch | null;
}

/**
 * Starts a streamed chat and returns once it has begun. With `limit` that is its first content: earlier
 * chunks are held back, so that another upstream can still answer, and silence ends the chat with
 * `upstream_timeout`. Without `limit` it is the first chunk. With `later`, silence also ends the chat after
 * it has begun.
 */
export async function openChat(
  provider: Provider,
  request: ProviderRequest,
  limit: SilenceLimit | null,
  later: SilenceLimit | null = null,
): Promise<OpenedChat> {
  const watch = limit || later ? new Watch(request.signal) : null;
  const there = watch ? { ...request, signal: watch.signal } : request;
  const rest = provider.stream(there)[Symbol.asyncIterator]();
  const held: ChatChunk[] = [];
  if (limit) watch?.wait(limit.firstTokenMs, limit.mayHandOver);
  try {
    for (let step = await rest.next(); !step.done; step = await rest.next()) {
      held.push(step.value);
      if (!limit || hasContent(step.value) || held.length > maxHeldChunks) break;
    }
  } catch (error) {
    watch?.stop();
    const transcript = createTranscript(request);
    for (const chunk of held) transcript.add(chunk);
    throw spending(watch?.failure ?? error, transcript);
  }
  if (later) watch?.wait(later.nextTokenMs, later.mayHandOver);
  else watch?.stop();
  return { held, rest, watch: later ? watch : null };
}

/** The chunks of a chat that has begun, including those held back. */
export async function* chunksOf({ held, rest, watch }: OpenedChat): AsyncGenerator<ChatChunk> {
  try {
    yield* held;
    if (held.length === 0) return;
    for (let step = await rest.next(); !step.done; step = await rest.next()) {
      if (watch && hasContent(step.value)) watch.heard();
      yield step.value;
    }
  } catch (error) {
    throw watch?.failure ?? error;
  } finally {
    watch?.stop();
  }
}

/**
 * Runs a sync operation to its result. With a limit a chat is requested as a stream, since only a stream
 * shows whether the upstream is silent; the caller gets nothing before the end.
 */
export async function execute(
  provider: Provider,
  request: ProviderRequest,
  limit: SilenceLimit | null,
): Promise<SyncResult> {
  const isNative = request.native !== undefined && provider.speaks === request.native.protocol;
  const isStreamed = limit && !isNative && !provider.answersWhole?.();
  if (!isStreamed || request.operation.api_type !== "chat-completions") return provider.execute(request);
  const watch = new Watch(request.signal);
  const transcript = createTranscript(request);
  watch.wait(limit.firstTokenMs, limit.mayHandOver);
  try {
    for await (const chunk of provider.stream({ ...request, signal: watch.signal })) {
      transcript.add(chunk);
      if (!hasContent(chunk)) continue;
      limit.answers?.();
      watch.wait(limit.nextTokenMs, limit.mayHandOver);
    }
  } catch (error) {
    throw spending(watch.failure ?? error, transcript);
  } finally {
    watch.stop();
  }
  const usage = transcript.usage();
  return {
    kind: "chat",
    completion: { choices: transcript.choices(), usage, ...transcript.labels },
    usage: { unit: "token", quantity: usage.total_tokens },
  };
}

/** Adds the tokens used so far to a failure. */
function spending(error: unknown, transcript: Transcript): unknown {
  if (error instanceof ProviderError && transcript.hasBegun) error.spent = { ...transcript.usage() };
  return error;
}

/** Whether a chunk has text, reasoning, a tool call, or the end of a choice. */
export function hasContent({ choices }: ChatChunk): boolean {
  return choices.some(({ delta, finish_reason: reason }) => reason !== null || saysSomething(delta));
}

/**
 * Silence is counted in this many steps. However long this process itself stands still, only one of them
 * passes, so an upstream that has answered meanwhile is not taken for a silent one.
 */
const silenceSteps = 10;

/** A timer for one call that ends it after too much silence. */
class Watch {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #waitMs: number | null = null;
  #stepsLeft = silenceSteps;
  #mayHandOver = (): boolean => true;
  failure: ProviderError | null = null;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#own.signal]);
  }

  /**
   * Restarts the silence timer; null: any length is allowed. The timer ends the call only if another upstream
   * can still be tried then.
   */
  wait(ms: number | null, mayHandOver: () => boolean): void {
    this.#mayHandOver = mayHandOver;
    if (ms !== null && ms === this.#waitMs) {
      this.heard();
      return;
    }
    clearTimeout(this.#timer);
    this.#waitMs = ms;
    this.#stepsLeft = silenceSteps;
    if (ms !== null) this.#timer = setTimeout(() => this.#step(ms), ms / silenceSteps).unref();
  }

  heard(): void {
    this.#stepsLeft = silenceSteps;
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #step(ms: number): void {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft > 0) this.#timer?.refresh();
    else if (this.#mayHandOver()) this.#end(ms);
  }

  #end(ms: number): void {
    const seconds = Math.round(ms / 100) / 10;
    this.failure = new ProviderError("upstream_timeout", `The provider was silent for ${seconds} seconds.`, {
      started: "unknown",
    });
    this.#own.abort(this.failure);
  }
}
