import { byName } from "#contract/by-name.ts";
import { ulidOf } from "#contract/ids.ts";
import type { Block, Message } from "#contract/messages.ts";
import { numberOf, parsed, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk, ChatUsage } from "#gateway/models/providers/provider.ts";
import { anthropicError } from "#gateway/platform/http/errors.ts";
import type { ChatFormatter, ChatStamp } from "#gateway/runs/execution/chat-front.ts";

const stopReasons = byName<string>({
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
});

interface MessageFormatter extends ChatFormatter {
  body(): Message;
}

/** A block that is being written. */
interface Open {
  kind: "text" | "thinking" | "tool_use";
  index: number;
  block: Block;
  pieces: string[];
  /** The index of a call among the chat's calls. */
  place?: number;
}

/**
 * Streams a chat as Anthropic message events, one content block at a time. Pieces of a second call are held
 * back until the end, so that each call's input is complete. Only thoughts that the model signed are sent as
 * signed.
 */
export function formatMessage({ id, model, svc_region }: ChatStamp, streams: boolean): MessageFormatter {
  const blocks: Open[] = [];
  /** Calls after the first, by index. */
  const held = new Map<number, { id: string; name: string; pieces: string[] }>();
  const events: string[] = [];
  let speaking: Open | null = null;
  let hasBegun = false;
  /** Usage that a Messages upstream reported at its beginning; null: the upstream speaks another protocol. */
  let countedFirst: Record<string, unknown> | null = null;
  /** The upstream's last events, held back until the usage is complete. */
  const lastEvents: Record<string, unknown>[] = [];
  let message: Message = {
    id: `msg_${ulidOf(id)}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    svc_region,
  };

  const say = (type: string, data: object = {}): void => {
    if (!streams) return;
    events.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const said = (): string => events.splice(0).join("");
  function begin(usage: object): void {
    if (hasBegun) return;
    hasBegun = true;
    say("message_start", { message: { ...message, usage: { ...message.usage, ...usage } } });
    say("ping");
  }
  const delta = ({ index }: Open, change: object) => say("content_block_delta", { index, delta: change });

  function start(kind: Open["kind"], block: Block): Open {
    stop();
    const opened: Open = { kind, index: blocks.length, block, pieces: [] };
    blocks.push(opened);
    speaking = opened;
    say("content_block_start", { index: opened.index, content_block: block });
    return opened;
  }

  function stop(): void {
    if (!speaking) return;
    const { kind, index, block, pieces } = speaking;
    const text = pieces.join("");
    if (kind === "tool_use") block.input = inputOf(text);
    else block[kind] = text;
    speaking = null;
    say("content_block_stop", { index });
  }

  const speak = (kind: "text" | "thinking"): Open => {
    if (speaking?.kind === kind) return speaking;
    return start(
      kind,
      kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" },
    );
  };

  function think(text: string): void {
    const thinking = speak("thinking");
    thinking.pieces.push(text);
    delta(thinking, { type: "thinking_delta", thinking: text });
  }

  /** Sends a signature or encrypted thought that arrives beside the text. */
  function detail({ type, signature, data }: Record<string, unknown>): void {
    if (type === "reasoning.encrypted" && textOf(data)) {
      start("thinking", { type: "redacted_thinking", data });
      speaking = null;
      say("content_block_stop", { index: blocks.length - 1 });
    } else if (textOf(signature)) {
      const thinking = speak("thinking");
      thinking.block.signature = signature;
      delta(thinking, { type: "signature_delta", signature });
    }
  }

  function call(given: Record<string, unknown>): void {
    const { name, arguments: text } = recordOf(given.function);
    const place = numberOf(given.index) ?? 0;
    const piece = textOf(text) ?? "";
    const isFirst = blocks.every(({ kind }) => kind !== "tool_use");
    if (isFirst) {
      const id = textOf(given.id) ?? `call_${place}`;
      start("tool_use", { type: "tool_use", id, name: textOf(name) ?? "", input: {} }).place = place;
    }
    if (speaking?.kind === "tool_use" && speaking.place === place) {
      input(speaking, piece);
      return;
    }
    const waiting = held.get(place) ?? {
      id: textOf(given.id) ?? `call_${place}`,
      name: textOf(name) ?? "",
      pieces: [],
    };
    held.set(place, waiting);
    waiting.pieces.push(piece);
  }

  function input(opened: Open, piece: string): void {
    if (piece === "") return;
    opened.pieces.push(piece);
    delta(opened, { type: "input_json_delta", partial_json: piece });
  }

  function tell({ choices }: ChatChunk): void {
    const [choice] = choices;
    if (choice?.index !== 0) return;
    const { content, reasoning_content: thoughts, reasoning_details: details, refusal } = choice.delta;
    if (typeof thoughts === "string" && thoughts !== "") think(thoughts);
    for (const each of recordsOf(details)) detail(each);
    for (const text of [content, refusal])
      if (typeof text === "string" && text !== "") {
        const block = speak("text");
        block.pieces.push(text);
        delta(block, { type: "text_delta", text });
      }
    for (const each of recordsOf(choice.delta.tool_calls)) call(each);
  }

  /**
   * Forwards an upstream event unchanged. Only the start of the message is ours, with the usage that the
   * upstream counted.
   */
  function passOn(event: Record<string, unknown>): void {
    const { type, ...data } = event;
    if (type === "message_start") countedFirst = countedIn(recordOf(data.message).usage);
    countedFirst ??= {};
    begin(countedFirst);
    if (type === "message_delta" || type === "message_stop" || lastEvents.length > 0) lastEvents.push(event);
    else if (type !== "message_start" && type !== "ping") say(String(type), data);
  }

  return {
    // A message starts with its first chunk, which may report usage, so nothing is sent before it.
    head: () => "",
    chunk(chunk) {
      if (!chunk.native) begin(chunk.usage ? usageOf(chunk.usage) : {});
      tell(chunk);
      if (!chunk.native) return said();
      events.length = 0;
      passOn(chunk.native);
      return said();
    },
    end(completion) {
      begin({});
      stop();
      for (const { id: callId, name, pieces } of held.values()) {
        const opened = start("tool_use", { type: "tool_use", id: callId, name, input: {} });
        input(opened, pieces.join(""));
        stop();
      }
      const [choice] = completion.choices;
      message = {
        ...message,
        content: blocks.map(({ block }) => block),
        stop_reason: stopReasons[choice?.finish_reason ?? "stop"] ?? "end_turn",
        ...(completion.native && { ...completion.native, id: message.id, model }),
        usage: { ...usageOf(completion.usage), ...countedIn(recordOf(completion.native).usage) },
        ...(completion.svc_cost && { svc_cost: completion.svc_cost }),
        ...(completion.svc_continued && { svc_continued: [...completion.svc_continued] }),
      };
      const { stop_reason, stop_sequence, usage, svc_cost, svc_continued } = message;
      if (countedFirst) events.length = 0;
      // The upstream sent none, because it speaks another protocol or its stream ended without a stop reason.
      const hasLast = (type: string) => lastEvents.some((event) => event.type === type);
      if (!hasLast("message_delta"))
        say("message_delta", { delta: { stop_reason, stop_sequence }, usage, svc_cost, svc_continued });
      for (const { type, ...data } of lastEvents) {
        const counted = { ...usage, ...countedFirst, ...countedIn(data.usage) };
        say(String(type), type === "message_delta" ? { ...data, usage: counted, svc_cost } : data);
      }
      if (!hasLast("message_stop")) say("message_stop");
      return said();
    },
    failure(error) {
      say("error", anthropicError(error));
      return said();
    },
    body: () => message,
  };
}

/** A call's input is an object, even if the model was cut off in the middle. */
function inputOf(text: string): Record<string, unknown> {
  return recordOf(parsed(text));
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
  };
}
