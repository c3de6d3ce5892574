import { byName } from "#contract/by-name.ts";
import type { ErrorBody } from "#contract/error.ts";
import { ulidOf } from "#contract/ids.ts";
import type { Block, Message } from "#contract/messages.ts";
import { numberOf, parsed, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk, ChatUsage } from "#gateway/models/providers/provider.ts";
import { anthropicError } from "#gateway/platform/http/errors.ts";
import type { ChatCompletionObject, ChatFormatter, ChatStamp } from "#gateway/runs/execution/chat-front.ts";

const stopReasons = byName<string>({
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
});

/** What only a Messages upstream reports. Anthropic's clients may require the names. */
const unknownUsage = {
  cache_creation: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  inference_geo: null,
};

/**
 * Streams a chat as Anthropic message events, one content block at a time. An event of a Messages upstream is
 * forwarded unchanged; only the start of the message is ours.
 */
export class MessageFormatter implements ChatFormatter {
  readonly #streams: boolean;
  readonly #events: string[] = [];
  readonly #blocks = new Blocks((type, data) => this.#say(type, data));
  #message: Message;
  #hasBegun = false;
  /** Usage that a Messages upstream reported at its beginning; null: the upstream speaks another protocol. */
  #countedFirst: Record<string, unknown> | null = null;
  /** The upstream's last events, held back until the usage is complete. */
  readonly #lastEvents: Record<string, unknown>[] = [];

  constructor({ id, model, svc_region }: ChatStamp, streams: boolean) {
    this.#streams = streams;
    this.#message = {
      id: `msg_${ulidOf(id)}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        ...unknownUsage,
      },
      svc_region,
    };
  }

  /** A message starts with its first chunk, which may report usage, so nothing is sent before it. */
  head(): string {
    return "";
  }

  chunk({ choices: [choice], usage, native }: ChatChunk): string {
    if (!native) this.#begin(usage ? usageOf(usage) : {});
    if (choice?.index === 0) this.#blocks.add(choice.delta);
    if (native) this.#forward(native);
    return this.#said();
  }

  end(completion: ChatCompletionObject): string {
    this.#begin({});
    this.#blocks.end();
    this.#complete(completion);
    this.#sayEnd();
    return this.#said();
  }

  failure(error: ErrorBody["error"]): string {
    this.#say("error", anthropicError(error));
    return this.#said();
  }

  body(): Message {
    return this.#message;
  }

  #begin(usage: object): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#say("message_start", {
      message: { ...this.#message, usage: { ...this.#message.usage, ...usage } },
    });
    this.#say("ping");
  }

  #forward(event: Record<string, unknown>): void {
    // The upstream sends the events of the blocks itself.
    this.#events.length = 0;
    const { type, ...data } = event;
    if (type === "message_start") this.#countedFirst = countedIn(recordOf(data.message).usage);
    this.#countedFirst ??= {};
    this.#begin(this.#countedFirst);
    if (type === "message_delta" || type === "message_stop" || this.#lastEvents.length > 0)
      this.#lastEvents.push(event);
    else if (type !== "message_start" && type !== "ping") this.#say(String(type), data);
  }

  #complete({ choices: [choice], native, usage, svc_cost, svc_continued }: ChatCompletionObject): void {
    const { id, model } = this.#message;
    this.#message = {
      ...this.#message,
      content: this.#blocks.content,
      stop_reason: stopReasons[choice?.finish_reason ?? "stop"] ?? "end_turn",
      ...(native && { ...native, id, model }),
      usage: { ...usageOf(usage), ...countedIn(recordOf(native).usage) },
      ...(svc_cost && { svc_cost }),
      ...(svc_continued && { svc_continued: [...svc_continued] }),
    };
  }

  #sayEnd(): void {
    const { stop_reason, stop_sequence, usage, svc_cost, svc_continued } = this.#message;
    if (this.#countedFirst) this.#events.length = 0;
    // The upstream sent none, because it speaks another protocol or its stream ended without a stop reason.
    const hasLast = (type: string) => this.#lastEvents.some((event) => event.type === type);
    if (!hasLast("message_delta"))
      this.#say("message_delta", { delta: { stop_reason, stop_sequence }, usage, svc_cost, svc_continued });
    for (const { type, ...data } of this.#lastEvents) {
      const counted = { ...usage, ...this.#countedFirst, ...countedIn(data.usage) };
      this.#say(String(type), type === "message_delta" ? { ...data, usage: counted, svc_cost } : data);
    }
    if (!hasLast("message_stop")) this.#say("message_stop");
  }

  #say(type: string, data: object = {}): void {
    if (this.#streams) this.#events.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  }

  #said(): string {
    return this.#events.splice(0).join("");
  }
}

/** A block that is being written. */
interface Open {
  index: number;
  block: Block;
  pieces: string[];
  /** For a call: its index among the chat's calls. */
  place?: number;
}

/**
 * Writes the blocks of a message from the chunks of a chat, one at a time, each with its events. Pieces of a
 * second call are held back until the end, so that each call's input is complete. Only thoughts that the
 * model signed are sent as signed.
 */
class Blocks {
  readonly content: Block[] = [];
  readonly #say: (type: string, data: object) => void;
  #open: Open | null = null;
  /** Calls after the first, by index. */
  readonly #held = new Map<number, { block: Block; pieces: string[] }>();

  constructor(say: (type: string, data: object) => void) {
    this.#say = say;
  }

  add(delta: ChatChunk["choices"][number]["delta"]): void {
    this.#write("thinking", delta.reasoning_content);
    for (const each of recordsOf(delta.reasoning_details)) this.#addDetail(each);
    this.#write("text", delta.content);
    this.#write("text", delta.refusal);
    for (const each of recordsOf(delta.tool_calls)) this.#addCall(each);
  }

  end(): void {
    this.#stop();
    for (const { block, pieces } of this.#held.values()) {
      this.#start(block);
      this.#addInput(pieces.join(""));
      this.#stop();
    }
  }

  #write(type: "text" | "thinking", text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#continue(type).pieces.push(text);
    this.#sayDelta({ type: `${type}_delta`, [type]: text });
  }

  /** Adds a signature or encrypted thought that arrives beside the text. */
  #addDetail({ type, signature, data }: Record<string, unknown>): void {
    if (type === "reasoning.encrypted" && textOf(data)) {
      this.#start({ type: "redacted_thinking", data });
      this.#stop();
    } else if (textOf(signature)) {
      this.#continue("thinking").block.signature = signature;
      this.#sayDelta({ type: "signature_delta", signature });
    }
  }

  #addCall(call: Record<string, unknown>): void {
    const { name, arguments: text } = recordOf(call.function);
    const place = numberOf(call.index) ?? 0;
    const piece = textOf(text) ?? "";
    const id = textOf(call.id) ?? `call_${place}`;
    const caller = { type: "direct" };
    const block: Block = { type: "tool_use", id, name: textOf(name) ?? "", input: {}, caller };
    if (this.content.every(({ type }) => type !== "tool_use")) this.#start(block).place = place;
    if (this.#open?.place === place) {
      this.#addInput(piece);
      return;
    }
    const held = this.#held.get(place) ?? { block, pieces: [] };
    this.#held.set(place, held);
    held.pieces.push(piece);
  }

  #addInput(piece: string): void {
    if (piece === "") return;
    this.#open?.pieces.push(piece);
    this.#sayDelta({ type: "input_json_delta", partial_json: piece });
  }

  /** The open block of this type; starts one if another is open. */
  #continue(type: "text" | "thinking"): Open {
    if (this.#open?.block.type === type) return this.#open;
    return this.#start(
      type === "text" ? { type, text: "", citations: null } : { type, thinking: "", signature: "" },
    );
  }

  #start(block: Block): Open {
    this.#stop();
    this.#open = { index: this.content.length, block, pieces: [] };
    this.content.push(block);
    this.#say("content_block_start", { index: this.#open.index, content_block: block });
    return this.#open;
  }

  #sayDelta(delta: object): void {
    this.#say("content_block_delta", { index: this.#open?.index, delta });
  }

  #stop(): void {
    if (!this.#open) return;
    const { index, block, pieces } = this.#open;
    const text = pieces.join("");
    // A call's input is an object, even if the model was cut off in the middle.
    if (block.type === "tool_use") block.input = recordOf(parsed(text));
    else if (block.type === "text" || block.type === "thinking") block[block.type] = text;
    this.#open = null;
    this.#say("content_block_stop", { index });
  }
}

/** Usage that an upstream counted. A message always reads or writes something, so 0 is not a count. */
function countedIn(usage: unknown): Record<string, unknown> {
  const isCount = ([name, value]: [string, unknown]) =>
    value !== null && (value !== 0 || (name !== "input_tokens" && name !== "output_tokens"));
  return Object.fromEntries(Object.entries(recordOf(usage)).filter(isCount));
}

/** A chat counts cached input as prompt tokens; a message does not. */
function usageOf(usage: ChatUsage): Message["usage"] {
  const details = recordOf(usage.prompt_tokens_details);
  const read = numberOf(details.cached_tokens) ?? 0;
  const written = numberOf(details.cache_write_tokens) ?? numberOf(details.cache_creation_tokens) ?? 0;
  return {
    input_tokens: Math.max(0, usage.prompt_tokens - read - written),
    output_tokens: usage.completion_tokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...unknownUsage,
  };
}
