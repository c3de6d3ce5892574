import { isRecord } from "#contract/input-schema/json-values.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { connectionFailure } from "./http/http-client.ts";
import { single } from "./http/rate-limit.ts";
import { invalidAnswer, maxBytes, parsed, readEvents, readJson } from "./http/read-body.ts";
import type { Mapped } from "./protocol.ts";
import type { ChatChunk, ChatCompletion, ChatLabels, ProviderRequest, SyncResult } from "./provider.ts";
import type { UpstreamCall } from "./upstreams/upstream.ts";

type Body = Record<string, unknown>;

/** How one API asks for a chat and answers it. */
export interface ChatApi extends Pick<UpstreamCall, "path" | "headers" | "native"> {
  body(): Body | Promise<Body>;
  /** Converts a whole answer; a missing finish reason is null. Throws if the answer says that it failed. */
  read(answer: Body): ChatCompletion;
  /** Whether the caller speaks this API, so that answers and chunks carry the original. */
  native?: boolean;
}

/** Converts the events of an API into chat chunks. */
export interface EventReader {
  /** True once the last event was read. */
  readonly isDone: boolean;
  /** Null for an event without content for a chat. Throws for an error event. */
  read(event: Body): ChatChunk | null;
}

/** For this long after an upstream answered JSON where a stream was requested, its route counts as one without streams. */
const rememberWholeMs = 600_000;

const doneMark = "[DONE]";

/** Finish reasons of answers that failed. */
const failedReasons: ReadonlySet<string> = new Set(["error", "abort"]);

/** The failure of an answer that ended as usual, but without a finish reason. The provider's test looks for it. */
export const unfinishedMessage =
  "The provider's answer has no finish reason, so it may be incomplete. A route with unfinished_answers: accept takes it.";

/** Runs a chat without streaming. */
export async function completeAnswer(
  mapped: Mapped,
  request: ProviderRequest,
  { body, read, ...call }: ChatApi,
): Promise<SyncResult> {
  const asked = body();
  const json = asked instanceof Promise ? await asked : asked;
  const answer = await mapped.upstream.json(request, { ...call, json });
  const completion = checkedAnswer(mapped, request, read(answer));
  if (call.native) completion.native = answer;
  return { kind: "chat", completion, usage: { unit: "token", quantity: completion.usage.total_tokens } };
}

/**
 * Streams a chat. An upstream that answers JSON instead has answered: its answer is one chunk. A stream without
 * its end mark and without a finish reason was cut: it throws `upstream_stream_interrupted`, because it would
 * otherwise look complete.
 */
export async function* streamAnswer(
  mapped: Mapped,
  request: ProviderRequest,
  { body, read, ...call }: ChatApi,
  reader: EventReader,
): AsyncGenerator<ChatChunk> {
  const answer = await mapped.upstream.open(request, {
    ...call,
    json: { ...(await body()), stream: true },
    headers: { accept: "text/event-stream", ...call.headers },
    wait: "stream",
  });
  if (!single(answer.headers["content-type"])?.includes("text/event-stream")) {
    const whole = await readJson(answer, maxBytes.json, request.signal);
    const completion = checkedAnswer(mapped, request, read(whole));
    if (mapped.whole) mapped.whole.untilMs = clock.now() + rememberWholeMs;
    yield chunkOf(completion);
    return;
  }
  if (mapped.whole) mapped.whole.untilMs = 0;
  const said = new SaidSoFar();
  let isMarked = false;
  try {
    // The loop must not destroy the body: its connection serves the next request only after the body is read
    // to its end.
    for await (const data of readEvents(answer.body.iterator({ destroyOnReturn: false }))) {
      isMarked = data === doneMark;
      if (isMarked) break;
      const event = eventIn(data, mapped, request);
      if (event === null) continue;
      const chunk = reader.read(event);
      if (chunk) said.add(chunk);
      if (call.native) yield { ...(chunk ?? { choices: [] }), native: event };
      else if (chunk) yield chunk;
      isMarked = reader.isDone;
      if (isMarked) break;
    }
  } catch (error) {
    // The gateway stopped waiting, rather than the upstream reported a time-out.
    const isSilent =
      error instanceof ProviderError && error.code === "upstream_timeout" && error.status === undefined;
    if (!isSilent && (request.signal.aborted || error instanceof ProviderError)) throw error;
    // After the finish reason, silence or a cut loses only the usage.
    if (!said.isFinished) throw isSilent ? error : interrupted(connectionFailure(error, true));
  } finally {
    if (isMarked) answer.body.resume();
    else answer.body.destroy();
  }
  if (said.isFinished) return;
  if (!isMarked) throw interrupted();
  acceptUnfinished(mapped, request, said.hasContent);
  yield said.end();
}

/**
 * Parses an event of a stream. For one that is not JSON: null if the route skips such events, otherwise
 * throws.
 */
function eventIn(data: string | null, mapped: Mapped, { log }: ProviderRequest): Body | null {
  const event = data === null ? null : parsed(data);
  if (isRecord(event)) return event;
  if (!mapped.skipsMalformed) throw invalidAnswer("The provider's stream has an event that is not JSON.");
  const provider = mapped.upstream.name;
  counters.skippedEvents.inc({ provider });
  log.warn({ provider, characters: data?.length }, "an event of a stream is no JSON and was left out");
  return null;
}

/** The error of a stream that ended too early. */
function interrupted(cause?: unknown): ProviderError {
  return new ProviderError("upstream_stream_interrupted", "The provider's stream ended early.", {
    started: "yes",
    cause,
  });
}

/**
 * The rule for an answer that ended as usual, but without a finish reason for each choice. Returns if the route
 * accepts it; the choices then end with `stop`. Throws if not, or if the answer has no content.
 */
function acceptUnfinished(mapped: Mapped, { log }: ProviderRequest, hasContent: boolean): void {
  if (!hasContent) throw invalidAnswer("The provider's answer has no content.");
  if (!mapped.acceptsUnfinished)
    throw new ProviderError("upstream_stream_interrupted", unfinishedMessage, {
      started: "yes",
      final: true,
    });
  log.warn({ provider: mapped.upstream.name }, "an answer without a finish reason was accepted as complete");
}

/** A whole answer, under the same rules as a stream. */
function checkedAnswer(mapped: Mapped, request: ProviderRequest, completion: ChatCompletion): ChatCompletion {
  const { choices } = completion;
  const characters = new CutCharacters();
  for (const { index, message, finish_reason: reason } of choices) {
    refuseFailed(reason);
    characters.join(index, message);
    characters.end(index, message);
  }
  if (choices.length > 0 && choices.every(({ finish_reason: reason }) => reason !== null)) return completion;
  acceptUnfinished(
    mapped,
    request,
    choices.some(({ message }) => saysSomething(message)),
  );
  for (const choice of choices) choice.finish_reason ??= "stop";
  return completion;
}

/** Throws if a choice ended with an error. */
function refuseFailed(reason: string | null): void {
  if (reason !== null && failedReasons.has(reason))
    throw new ProviderError("upstream_error", "The provider ended its answer with an error.", {
      started: "yes",
    });
}

/** A completion as a stream of one chunk. */
export function chunkOf({
  choices,
  usage,
  service_tier: tier,
  system_fingerprint: fingerprint,
}: Pick<ChatCompletion, "choices" | "usage"> & Labelled): ChatChunk {
  return {
    choices: choices.map(({ message, finish_reason, logprobs }, index) => {
      const { tool_calls: calls, ...said } = message;
      const delta = calls ? { ...said, tool_calls: calls.map((call, at) => ({ index: at, ...call })) } : said;
      return { index, delta, finish_reason, ...(logprobs && { logprobs }) };
    }),
    usage,
    ...(tier && { service_tier: tier }),
    ...(fingerprint && { system_fingerprint: fingerprint }),
  };
}

type Labelled = { [Name in keyof ChatLabels]?: string | null | undefined };

/** Whether a message or delta has text, reasoning, a tool call or anything else besides its role. */
export function saysSomething(said: object): boolean {
  return Object.entries(said).some(([name, value]) =>
    name === "role" ? false : Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
}

/** What a stream has said so far: whether it has content, and which choices have ended. */
class SaidSoFar {
  readonly #begun = new Set<number>();
  readonly #finished = new Set<number>();
  readonly #characters = new CutCharacters();
  hasContent = false;

  get isFinished(): boolean {
    return this.#begun.size > 0 && this.#begun.size === this.#finished.size;
  }

  /** Throws if a choice ended with an error. */
  add({ choices }: ChatChunk): void {
    for (const { index, delta, finish_reason: reason } of choices) {
      refuseFailed(reason);
      this.#begun.add(index);
      this.hasContent ||= saysSomething(delta);
      this.#characters.join(index, delta);
      if (reason === null) continue;
      this.#finished.add(index);
      this.#characters.end(index, delta);
    }
  }

  /** The chunk that ends the remaining choices. */
  end(): ChatChunk {
    const open = [...this.#begun].filter((index) => !this.#finished.has(index));
    return {
      choices: open.map((index) => {
        const delta = {};
        this.#characters.end(index, delta);
        return { index, delta, finish_reason: "stop" };
      }),
    };
  }
}

const textFields = ["content", "reasoning_content", "refusal"] as const;
const highHalf = /[\uD800-\uDBFF]$/;
const lostCharacter = "\uFFFD";

/**
 * Joins characters that the upstream cut between two deltas: the first half waits for the next delta. A half
 * that stays alone becomes U+FFFD.
 */
class CutCharacters {
  readonly #halves = new Map<string, string>();

  /** Changes the texts of the delta. */
  join(choice: number, delta: Record<string, unknown>): void {
    for (const field of textFields) this.#join(delta, field, choice);
    if (!Array.isArray(delta.tool_calls)) return;
    for (const [at, call] of delta.tool_calls.entries())
      if (isRecord(call) && isRecord(call.function))
        this.#join(call.function, "arguments", `${choice}/${call.index ?? at}`);
  }

  /** Adds the halves of the choice that stayed alone to its last delta. */
  end(choice: number, delta: Record<string, unknown>): void {
    if (this.#halves.size === 0) return;
    for (const field of textFields)
      if (this.#halves.delete(`${choice} ${field}`)) delta[field] = `${delta[field] ?? ""}${lostCharacter}`;
  }

  #join(holder: Record<string, unknown>, field: string, choice: number | string): void {
    const text = holder[field];
    if (typeof text !== "string" || text === "") return;
    if (this.#halves.size === 0 && text.isWellFormed()) return;
    const place = `${choice} ${field}`;
    const joined = (this.#halves.get(place) ?? "") + text;
    const isCut = highHalf.test(joined);
    if (isCut) this.#halves.set(place, joined.slice(-1));
    else this.#halves.delete(place);
    holder[field] = (isCut ? joined.slice(0, -1) : joined).toWellFormed();
  }
}
