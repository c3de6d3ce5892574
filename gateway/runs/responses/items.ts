import { ulidOf } from "#contract/ids.ts";
import type { Item } from "#contract/responses.ts";
import { numberOf, parsed, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk } from "#gateway/models/providers/provider.ts";
import type { Thought, ToolName } from "./messages.ts";
import type { SealedTexts } from "./sealed-text.ts";

type Part =
  | { type: "output_text"; text: string; annotations: object[]; logprobs: object[] }
  | { type: "refusal"; refusal: string };

/** An item that is being written. */
interface Open {
  item: Item;
  index: number;
  /** The text being written; the pieces are joined when it ends. */
  pieces: string[];
}

interface ItemOptions {
  /** `gen_…`: item ids derive from it, so that a replay has the same ones. */
  runId: string;
  names: ReadonlyMap<string, ToolName>;
  sealed: SealedTexts;
  /** The item as the client may see it. */
  shown: (item: Item) => Item;
  /** Sends an event. */
  say: (type: string, data: Record<string, unknown>) => void;
}

/** Writes the items of a response from the chunks of a chat, one item at a time, each with its events. */
export class ResponseItems {
  readonly output: Item[] = [];
  readonly #options: ItemOptions;
  readonly #calls = new Map<number, Open>();
  /** The reasoning details received so far, for the reasoning item being written or about to begin. */
  readonly #details: unknown[] = [];
  /** The reasoning or message being written. */
  #current: Open | null = null;

  constructor(options: ItemOptions) {
    this.#options = options;
  }

  add({ delta, logprobs }: ChatChunk["choices"][number]): void {
    const { content, reasoning_content: thoughts, reasoning_details: details, refusal, annotations } = delta;
    if (Array.isArray(details)) {
      for (const each of details) this.#details.push(each);
      if (this.#details.length > 0 && this.#current?.item.type !== "reasoning") this.#think("");
    }
    if (typeof thoughts === "string" && thoughts !== "") this.#think(thoughts);
    if (typeof content === "string" && content !== "") this.#write(content, recordsOf(logprobs?.content));
    if (typeof refusal === "string" && refusal !== "") this.#refuse(refusal);
    if (Array.isArray(annotations) && annotations.length > 0) this.#annotate(recordsOf(annotations));
    for (const call of recordsOf(delta.tool_calls)) this.#call(call);
  }

  end(): void {
    this.#endCurrent();
    for (const call of this.#calls.values()) this.#endCall(call);
  }

  #open(prefix: string, item: Item): Open {
    const index = this.output.length;
    const opened = {
      item: { id: `${prefix}_${ulidOf(this.#options.runId)}_${index}`, ...item },
      index,
      pieces: [],
    };
    this.output.push(opened.item);
    this.#options.say("response.output_item.added", { output_index: index, item: opened.item });
    return opened;
  }

  #close({ item, index }: Open): void {
    const { say, shown } = this.#options;
    say("response.output_item.done", { output_index: index, item: shown(item) });
  }

  /** The item of this type that is being written; ends an open item of the other type. */
  #writing(type: "reasoning" | "message"): Open {
    if (this.#current?.item.type === type) return this.#current;
    this.#endCurrent();
    const opened =
      type === "message"
        ? this.#open("msg", { type, status: "in_progress", role: "assistant", content: [] })
        : this.#open("rs", { type, summary: [] });
    this.#current = opened;
    if (type === "reasoning")
      this.#options.say("response.reasoning_summary_part.added", {
        ...placeOf(opened),
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      });
    return opened;
  }

  #endCurrent(): void {
    const ended = this.#current;
    if (!ended) return;
    this.#current = null;
    if (ended.item.type === "reasoning") this.#endReasoning(ended);
    else {
      this.#endPart(ended);
      ended.item.status = "completed";
    }
    this.#close(ended);
  }

  #endReasoning(ended: Open): void {
    const { say, sealed } = this.#options;
    const text = ended.pieces.join("");
    const at = { ...placeOf(ended), summary_index: 0 };
    const part = { type: "summary_text", text };
    say("response.reasoning_summary_text.done", { ...at, text });
    say("response.reasoning_summary_part.done", { ...at, part });
    const thought: Thought = {
      ...(text !== "" && { reasoning_content: text }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details.splice(0) }),
    };
    ended.item.summary = text === "" ? [] : [part];
    ended.item.encrypted_content = sealed.seal("thought", JSON.stringify(thought));
  }

  /** The last part of a message if it has this type, otherwise a new one. */
  #part(message: Open, type: Part["type"]): { part: Part; at: object } {
    const parts = partsOf(message);
    let last = parts.at(-1);
    if (last?.type !== type) {
      this.#endPart(message);
      last = type === "refusal" ? { type, refusal: "" } : { type, text: "", annotations: [], logprobs: [] };
      parts.push(last);
      const at = { ...placeOf(message), content_index: parts.length - 1 };
      this.#options.say("response.content_part.added", { ...at, part: last });
    }
    return { part: last, at: { ...placeOf(message), content_index: parts.length - 1 } };
  }

  #endPart(message: Open): void {
    const { say } = this.#options;
    const parts = partsOf(message);
    const last = parts.at(-1);
    if (!last) return;
    const at = { ...placeOf(message), content_index: parts.length - 1 };
    const text = message.pieces.splice(0).join("");
    if (last.type === "refusal") {
      last.refusal = text;
      say("response.refusal.done", { ...at, refusal: text });
    } else {
      last.text = text;
      say("response.output_text.done", { ...at, text, logprobs: last.logprobs });
    }
    say("response.content_part.done", { ...at, part: last });
  }

  #think(text: string): void {
    const reasoning = this.#writing("reasoning");
    if (text === "") return;
    reasoning.pieces.push(text);
    const at = { ...placeOf(reasoning), summary_index: 0 };
    this.#options.say("response.reasoning_summary_text.delta", { ...at, delta: text });
  }

  #write(text: string, logprobs: object[]): void {
    const message = this.#writing("message");
    const { part, at } = this.#part(message, "output_text");
    message.pieces.push(text);
    if (part.type === "output_text") for (const each of logprobs) part.logprobs.push(each);
    this.#options.say("response.output_text.delta", { ...at, delta: text, logprobs });
  }

  #refuse(text: string): void {
    const message = this.#writing("message");
    const { at } = this.#part(message, "refusal");
    message.pieces.push(text);
    this.#options.say("response.refusal.delta", { ...at, delta: text });
  }

  #annotate(given: readonly Record<string, unknown>[]): void {
    const { part, at } = this.#part(this.#writing("message"), "output_text");
    if (part.type !== "output_text") return;
    for (const each of given) {
      const annotation = { type: each.type, ...recordOf(each[String(each.type)]) };
      part.annotations.push(annotation);
      const place = { ...at, annotation_index: part.annotations.length - 1 };
      this.#options.say("response.output_text.annotation.added", { ...place, annotation });
    }
  }

  #call(delta: Record<string, unknown>): void {
    const place = numberOf(delta.index) ?? this.#calls.size;
    const { name, arguments: text } = recordOf(delta.function);
    const call =
      this.#calls.get(place) ??
      this.#openCall(place, textOf(delta.id) ?? `call_${place}`, textOf(name) ?? "");
    const piece = textOf(text);
    if (piece === null || piece === "") return;
    call.pieces.push(piece);
    // The text of a custom tool is inside JSON, so it is sent when the JSON is complete.
    if (call.item.type === "function_call")
      this.#options.say("response.function_call_arguments.delta", { ...placeOf(call), delta: piece });
  }

  #openCall(place: number, callId: string, called: string): Open {
    this.#endCurrent();
    const { type, name, namespace } = this.#options.names.get(called) ?? { type: "function", name: called };
    const common = { status: "in_progress", call_id: callId, name, ...(namespace && { namespace }) };
    const opened =
      type === "custom"
        ? this.#open("ctc", { type: "custom_tool_call", ...common, input: "" })
        : this.#open("fc", { type: "function_call", ...common, arguments: "" });
    this.#calls.set(place, opened);
    return opened;
  }

  #endCall(call: Open): void {
    const { say } = this.#options;
    const { item } = call;
    const text = call.pieces.join("");
    const at = placeOf(call);
    item.status = "completed";
    if (item.type === "custom_tool_call") {
      const input = plainTextIn(text);
      item.input = input;
      say("response.custom_tool_call_input.delta", { ...at, delta: input });
      say("response.custom_tool_call_input.done", { ...at, input });
    } else {
      item.arguments = text;
      say("response.function_call_arguments.done", { ...at, name: item.name, arguments: text });
    }
    this.#close(call);
  }
}

function placeOf({ item, index }: Open): { item_id: unknown; output_index: number } {
  return { item_id: item.id, output_index: index };
}

function partsOf({ item }: Open): Part[] {
  return item.content as Part[];
}

/**
 * The text that a model passed to a plain-text tool; the whole input if the model did not use the expected
 * JSON.
 */
function plainTextIn(text: string): string {
  const { input } = recordOf(parsed(text));
  return typeof input === "string" ? input : text;
}
