import { saysSomething } from "#gateway/models/providers/chat-answers.ts";
import { estimatedUsage, withEstimate } from "#gateway/models/providers/estimated-usage.ts";
import type {
  ChatChoice,
  ChatChunk,
  ChatLabels,
  ChatMessage,
  ChatUsage,
  Patience,
  Provider,
  ProviderRequest,
  SyncResult,
  ToolCall,
} from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { refuseUnable } from "./parameters.ts";

/** At most this many chunks without content are held back; a stream that sends more counts as begun. */
const maxHeldChunks = 1_000;

/** A silence limit that applies only while another upstream could be tried instead. */
export interface SilenceLimit extends Patience {
  /** Called when the limit is reached: whether another upstream can still be tried. */
  mayHandOver(): boolean;
}

/** One call of a provider. */
export interface ProviderCall {
  provider: Provider;
  request: ProviderRequest;
  /** How long the provider may be silent, if another one could be tried. */
  limit: SilenceLimit | null;
  /** Call at the first content, and maybe later too: the deployment works, however the answer ends. */
  answers(): void;
}

/**
 * Runs a sync operation to its result. With a limit a chat is requested as a stream, since only a stream
 * shows whether the upstream is silent; the caller gets nothing before the end.
 */
export function execute(call: ProviderCall): Promise<SyncResult> {
  const { provider, request, limit } = call;
  refuseUnable(provider, request);
  const isNative = request.native !== undefined && provider.speaks === request.native.protocol;
  const isStreamed = limit && !isNative && !provider.answersWhole?.();
  if (!isStreamed || request.operation.api_type !== "chat-completions") return provider.execute(request);
  return openChat(call, limit).then((opened) => opened.readAll(createTranscript(request)));
}

/**
 * Starts a streamed chat and returns once it has begun. With a limit that is its first content: earlier
 * chunks are held back, so that another upstream can still answer, and silence ends the chat with
 * `upstream_timeout`. Without a limit it is the first chunk. With `later`, silence also ends the chat after
 * it has begun.
 */
export async function openChat(
  { provider, request, limit, answers }: ProviderCall,
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
  return new OpenedChat(held, rest, later && watch, answers);
}

/** A chat that has begun to answer. */
export class OpenedChat {
  readonly #held: ChatChunk[];
  readonly #rest: AsyncIterator<ChatChunk>;
  /** Watches for silence between contents, if another upstream can continue the stream. */
  readonly #watch: Watch | null;
  readonly #answers: () => void;
  #isSilent = true;

  constructor(held: ChatChunk[], rest: AsyncIterator<ChatChunk>, watch: Watch | null, answers: () => void) {
    this.#held = held;
    this.#rest = rest;
    this.#watch = watch;
    this.#answers = answers;
  }

  /**
   * Gives each chunk to `take`. Returns false if `signal` was aborted before the end. The loop awaits only what
   * it must: one more promise per chunk costs time.
   */
  async read(take: (chunk: ChatChunk) => Promise<void> | void, signal?: AbortSignal): Promise<boolean> {
    try {
      for (let at = 0; ; at += 1) {
        const held = this.#held[at];
        const step = held ? null : await this.#rest.next();
        if (step?.done) return true;
        const chunk = held ?? (step?.value as ChatChunk);
        if ((this.#isSilent || this.#watch) && hasContent(chunk)) this.#heard();
        const taken = take(chunk);
        if (taken) await taken;
        if (signal?.aborted) return false;
      }
    } catch (error) {
      throw this.#watch?.failure ?? error;
    } finally {
      this.#watch?.stop();
    }
  }

  #heard(): void {
    if (this.#isSilent) this.#answers();
    this.#isSilent = false;
    this.#watch?.heard();
  }

  /** Reads the whole answer into `transcript`. */
  async readAll(transcript: Transcript, take?: (chunk: ChatChunk) => void): Promise<SyncResult> {
    try {
      await this.read((chunk) => {
        transcript.add(chunk);
        take?.(chunk);
      });
    } catch (error) {
      throw spending(error, transcript);
    }
    const usage = transcript.usage();
    return {
      kind: "chat",
      completion: { choices: transcript.choices(), usage, ...transcript.labels },
      usage: { unit: "token", quantity: usage.total_tokens },
    };
  }
}

/** Adds the tokens used so far to a failure. */
function spending(error: unknown, transcript: Transcript): unknown {
  if (error instanceof ProviderError && transcript.hasBegun) error.spent = { ...transcript.usage() };
  return error;
}

/** Whether a chunk has text, reasoning, a tool call, or the end of a choice. */
function hasContent({ choices }: ChatChunk): boolean {
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

/** The text of a stream so far, so that an interrupted stream is metered and a complete one can be replayed. */
export interface Transcript {
  /** Whether any chunk has arrived. */
  readonly hasBegun: boolean;
  add(chunk: ChatChunk): void;
  usage(): ChatUsage;
  /**
   * The usage that the upstream reported at the end of the stream, otherwise at its beginning; null if it
   * reported none.
   */
  reported(): ChatUsage | null;
  choices(): ChatChoice[];
  readonly labels: ChatLabels;
}

export function createTranscript(request: ProviderRequest): Transcript {
  const choices = new Map<number, ChatChoice>();
  let reported: ChatUsage | null = null;
  let begun: ChatUsage | null = null;
  const labels: ChatLabels = {};
  return {
    get hasBegun() {
      return choices.size > 0 || reported !== null || begun !== null;
    },
    add(chunk) {
      if (chunk.usage) reported = chunk.usage;
      if (chunk.usageSoFar) begun = chunk.usageSoFar;
      if (chunk.service_tier) labels.service_tier = chunk.service_tier;
      if (chunk.system_fingerprint) labels.system_fingerprint = chunk.system_fingerprint;
      for (const { index, delta, finish_reason: finishReason, logprobs } of chunk.choices) {
        const choice = choices.get(index) ?? emptyChoice(index);
        choices.set(index, choice);
        addDelta(choice.message, delta);
        if (logprobs) {
          choice.logprobs ??= {};
          addMembers(choice.logprobs, logprobs);
        }
        if (finishReason) choice.finish_reason = finishReason;
      }
    },
    usage() {
      if (reported) return reported;
      const said = [...choices.values()].map(({ message }) => message);
      const estimated = estimatedUsage(request, said);
      return begun ? withEstimate(begun, estimated) : estimated;
    },
    reported: () => reported ?? begun,
    choices: () => [...choices.values()],
    labels,
  };
}

function emptyChoice(index: number): ChatChoice {
  return {
    index,
    message: { role: "assistant", content: null, refusal: null },
    finish_reason: null,
    logprobs: null,
  };
}

function addDelta(message: ChatMessage, delta: Record<string, unknown>): void {
  const { role: _, tool_calls: calls, ...said } = delta;
  addMembers(message, said);
  if (Array.isArray(calls)) addToolCalls(message, calls as (Partial<ToolCall> & { index?: number })[]);
}

/**
 * Merges `next` into `all`: strings and lists are appended, other values replaced. Lists are copied when
 * added, so that appending changes no chunk.
 */
function addMembers(all: Record<string, unknown>, next: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue;
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    if (Array.isArray(value) && Array.isArray(before)) {
      for (const item of value) before.push(item);
      continue;
    }
    if (typeof value === "string" && typeof before === "string") {
      all[name] = before + value;
      continue;
    }
    const after = Array.isArray(value) ? [...value] : value;
    // defineProperty, because the upstream chooses the name: a new `__proto__` must not call a setter.
    Object.defineProperty(all, name, { value: after, enumerable: true, configurable: true, writable: true });
  }
}

function addToolCalls(message: ChatMessage, deltas: (Partial<ToolCall> & { index?: number })[]): void {
  const calls = message.tool_calls ?? [];
  message.tool_calls = calls;
  for (const { index, id, type, function: called, ...more } of deltas) {
    const at = index ?? calls.length;
    const call = calls[at] ?? ({} as ToolCall);
    calls[at] = call;
    if (id) call.id = id;
    if (type) call.type = type;
    addMembers(call, more);
    if (!called) continue;
    const { name, arguments: text, ...others } = called;
    const known = call.function ?? { name: "", arguments: "" };
    call.function = {
      ...known,
      ...others,
      name: name ?? known.name,
      arguments: known.arguments + (text ?? ""),
    };
  }
}
