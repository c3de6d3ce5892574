import { invalidAnswer } from "#gateway/models/providers/http/read-body.ts";
import type {
  ChatChunk,
  Patience,
  Provider,
  ProviderRequest,
  SyncResult,
} from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { createTranscript } from "./chat-transcript.ts";

/** Chunks without content that are held back at most; a stream that sends more of them has begun. */
const maxHeldChunks = 1_000;

/** A limit of silence that is armed while somebody else could be asked instead. */
export interface SilenceLimit extends Patience {
  /** Asked when it is over: whether somebody else can still be asked. */
  mayHandOver(): boolean;
}

/** A chat that has begun to answer: its chunks so far, and those that follow. */
export interface OpenedChat {
  held: readonly ChatChunk[];
  rest: AsyncIterator<ChatChunk>;
  /** Watches the silence between its contents, where another upstream can continue it. */
  watch: Watch | null;
}

/**
 * Starts a streamed chat. With a limit it has begun with its first content: what comes before is held back, so that another upstream can
 * still answer, and its silence ends it with `upstream_timeout`. Without one it has begun with its first chunk. With `later` its silence
 * ends it also after that.
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
    throw watch?.failure ?? error;
  }
  if (later) watch?.wait(later.nextTokenMs, later.mayHandOver);
  else watch?.stop();
  return { held, rest, watch: later ? watch : null };
}

/** The chunks of a chat that has begun. */
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
 * Runs a sync operation to its result. With a limit a chat is asked for as a stream, since only a stream shows whether the upstream is
 * silent: nothing of it has been sent to the caller before its end.
 */
export async function execute(
  provider: Provider,
  request: ProviderRequest,
  limit: SilenceLimit | null,
): Promise<SyncResult> {
  const isNative = request.native !== undefined && provider.speaks === request.native.protocol;
  if (!limit || isNative || request.operation.api_type !== "chat-completions")
    return provider.execute(request);
  const watch = new Watch(request.signal);
  const transcript = createTranscript(request);
  watch.wait(limit.firstTokenMs, limit.mayHandOver);
  try {
    for await (const chunk of provider.stream({ ...request, signal: watch.signal })) {
      transcript.add(chunk);
      if (hasContent(chunk)) watch.wait(limit.nextTokenMs, limit.mayHandOver);
    }
  } catch (error) {
    throw watch.failure ?? error;
  } finally {
    watch.stop();
  }
  const choices = transcript
    .choices()
    .map((choice) => ({ ...choice, finish_reason: choice.finish_reason ?? "stop" }));
  if (choices.length === 0) throw invalidAnswer("The provider's chat completion has no choices.");
  const usage = transcript.usage();
  const tier = transcript.serviceTier();
  return {
    kind: "chat",
    completion: { choices, usage, ...(tier !== undefined && { service_tier: tier }) },
    usage: { unit: "token", quantity: usage.total_tokens },
  };
}

/** Whether a chunk has text, reasoning or a tool call, or the end of a choice. */
export function hasContent({ choices }: ChatChunk): boolean {
  return choices.some(
    ({ delta, finish_reason: reason }) =>
      reason !== null ||
      Object.entries(delta).some(([name, value]) =>
        name === "role" ? false : Array.isArray(value) ? value.length > 0 : Boolean(value),
      ),
  );
}

/** One timer for one call: the silence that ends it. */
class Watch {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #waitMs: number | null = null;
  #mayHandOver = (): boolean => true;
  failure: ProviderError | null = null;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#own.signal]);
  }

  /** The silence begins anew; null: it may last for any time. It ends the call only if somebody else can still be asked then. */
  wait(ms: number | null, mayHandOver: () => boolean): void {
    this.#mayHandOver = mayHandOver;
    if (ms !== null && ms === this.#waitMs) {
      this.heard();
      return;
    }
    clearTimeout(this.#timer);
    this.#waitMs = ms;
    if (ms !== null) this.#timer = setTimeout(() => this.#mayHandOver() && this.#end(ms), ms).unref();
  }

  heard(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(ms: number): void {
    const seconds = Math.round(ms / 100) / 10;
    this.failure = new ProviderError("upstream_timeout", `The provider was silent for ${seconds} seconds.`, {
      started: "unknown",
    });
    this.#own.abort(this.failure);
  }
}
