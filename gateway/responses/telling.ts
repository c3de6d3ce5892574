import { ulidOf } from "#contract/ids.ts";
import type { Item, Response } from "#contract/responses.ts";
import { clock } from "#gateway/core/clock.ts";
import {
  type ChatCompletionObject,
  type ChatStamp,
  type ChatTelling,
  doneEvent,
} from "#gateway/execution/chat-front.ts";
import { isRecord, numberOf, recordOf, recordsOf, textOf } from "#gateway/providers/http/read-body.ts";
import type { ChatChunk } from "#gateway/providers/provider.ts";
import type { Thought } from "./messages.ts";
import type { SealedTexts } from "./sealed-text.ts";
import type { ToolName } from "./tools.ts";

/** What a response says of the request that it answers. */
export type Settings = Omit<
  Response,
  | "id"
  | "created_at"
  | "completed_at"
  | "status"
  | "incomplete_details"
  | "error"
  | "model"
  | "output"
  | "usage"
  | "svc_region"
>;

export interface TellingOptions {
  settings: Settings;
  names: ReadonlyMap<string, ToolName>;
  sealed: SealedTexts;
  /** Whether the client carries the model's thoughts itself. */
  showsSealed: boolean;
}

/** `resp_…` of the run `gen_…`: its items have ids of the same time and randomness, so an item's id leads to its response. */
export function responseIdOf(generationId: string): string {
  return `resp_${ulidOf(generationId)}`;
}

type Part =
  | { type: "output_text"; text: string; annotations: object[]; logprobs: object[] }
  | { type: "refusal"; refusal: string };

export interface ResponseTelling extends ChatTelling {
  /** The whole response with its sealed thoughts, as it is stored. */
  record(): Response;
}

/** An item while it is said. */
interface Open {
  item: Item;
  index: number;
  kind: "reasoning" | "message" | "call";
  /** The pieces of what is said now: joined once. */
  pieces: string[];
}

/**
 * Tells a chat as a response: its items one after the other, each with its beginning, its pieces and its end. Ids follow from the
 * run's, so that a replay says the same ones.
 */
export function tellResponse(stamp: ChatStamp, options: TellingOptions, streams: boolean): ResponseTelling {
  const { settings, names, sealed, showsSealed } = options;
  const id = responseIdOf(stamp.id);
  const output: Item[] = [];
  const calls = new Map<number, Open>();
  const details: unknown[] = [];
  let speaking: Open | null = null;
  let sequence = 0;
  const events: string[] = [];
  let whole: Response = {
    ...settings,
    id,
    object: "response",
    created_at: stamp.created,
    completed_at: null,
    status: "in_progress",
    incomplete_details: null,
    error: null,
    model: stamp.model,
    output: [],
    usage: null,
    svc_region: stamp.svc_region,
  };

  const say = (type: string, data: Record<string, unknown>): void => {
    if (!streams) return;
    events.push(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`);
    sequence += 1;
  };
  const said = (): string => events.splice(0).join("");
  const placed = ({ item, index }: Open) => ({ item_id: item.id, output_index: index });

  function open(kind: Open["kind"], prefix: string, item: Item): Open {
    const index = output.length;
    const opened: Open = {
      item: { id: `${prefix}_${ulidOf(stamp.id)}_${index}`, ...item },
      index,
      kind,
      pieces: [],
    };
    output.push(opened.item);
    say("response.output_item.added", { output_index: index, item: opened.item });
    return opened;
  }

  function close(opened: Open): void {
    opened.item = shown(opened.item);
    say("response.output_item.done", { output_index: opened.index, item: opened.item });
  }

  const shown = (item: Item): Item => (showsSealed ? item : withoutSealed(item));

  /** The item that is spoken now, if it is of this kind; another one ends. */
  function speak(kind: "reasoning" | "message"): Open {
    if (speaking?.kind === kind) return speaking;
    stopSpeaking();
    if (kind === "message") {
      speaking = open("message", "msg", {
        type: "message",
        status: "in_progress",
        role: "assistant",
        content: [],
      });
      return speaking;
    }
    speaking = open("reasoning", "rs", { type: "reasoning", summary: [] });
    say("response.reasoning_summary_part.added", {
      ...placed(speaking),
      summary_index: 0,
      part: { type: "summary_text", text: "" },
    });
    return speaking;
  }

  function stopSpeaking(): void {
    if (!speaking) return;
    const ended = speaking;
    speaking = null;
    if (ended.kind === "reasoning") {
      const text = ended.pieces.join("");
      const at = { ...placed(ended), summary_index: 0 };
      say("response.reasoning_summary_text.done", { ...at, text });
      const part = { type: "summary_text", text };
      say("response.reasoning_summary_part.done", { ...at, part });
      const thought: Thought = {
        ...(text !== "" && { reasoning_content: text }),
        ...(details.length > 0 && { reasoning_details: details.splice(0) }),
      };
      Object.assign(ended.item, {
        summary: text === "" ? [] : [part],
        encrypted_content: sealed.seal(JSON.stringify(thought)),
      });
    } else {
      endPart(ended);
      ended.item.status = "completed";
    }
    close(ended);
  }

  const partsOf = ({ item }: Open): Part[] => item.content as Part[];

  function part(message: Open, type: Part["type"]): { part: Part; at: object } {
    const parts = partsOf(message);
    let last = parts.at(-1);
    if (last?.type !== type) {
      endPart(message);
      last = type === "refusal" ? { type, refusal: "" } : { type, text: "", annotations: [], logprobs: [] };
      parts.push(last);
      say("response.content_part.added", { ...placed(message), content_index: parts.length - 1, part: last });
    }
    return { part: last, at: { ...placed(message), content_index: parts.length - 1 } };
  }

  function endPart(message: Open): void {
    const parts = partsOf(message);
    const last = parts.at(-1);
    if (!last) return;
    const at = { ...placed(message), content_index: parts.length - 1 };
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

  function think(text: string): void {
    const reasoning = speak("reasoning");
    if (text === "") return;
    reasoning.pieces.push(text);
    say("response.reasoning_summary_text.delta", { ...placed(reasoning), summary_index: 0, delta: text });
  }

  function write(text: string, logprobs: object[]): void {
    const message = speak("message");
    const { part: written, at } = part(message, "output_text");
    message.pieces.push(text);
    if (written.type === "output_text") for (const each of logprobs) written.logprobs.push(each);
    say("response.output_text.delta", { ...at, delta: text, logprobs });
  }

  function refuse(text: string): void {
    const message = speak("message");
    const { at } = part(message, "refusal");
    message.pieces.push(text);
    say("response.refusal.delta", { ...at, delta: text });
  }

  function annotate(annotations: readonly Record<string, unknown>[]): void {
    const { part: annotated, at } = part(speak("message"), "output_text");
    if (annotated.type !== "output_text") return;
    for (const given of annotations) {
      const annotation = { type: given.type, ...recordOf(given[String(given.type)]) };
      annotated.annotations.push(annotation);
      const place = annotated.annotations.length - 1;
      say("response.output_text.annotation.added", { ...at, annotation_index: place, annotation });
    }
  }

  function call(delta: Record<string, unknown>): void {
    const place = numberOf(delta.index) ?? calls.size;
    const { name, arguments: text } = recordOf(delta.function);
    const known =
      calls.get(place) ?? openCall(place, textOf(delta.id) ?? `call_${place}`, textOf(name) ?? "");
    const piece = textOf(text);
    if (piece === null || piece === "") return;
    known.pieces.push(piece);
    // A plain text stands inside JSON: it is said when that is complete.
    if (known.item.type === "function_call")
      say("response.function_call_arguments.delta", { ...placed(known), delta: piece });
  }

  function openCall(place: number, callId: string, called: string): Open {
    stopSpeaking();
    const { type, name, namespace } = names.get(called) ?? { type: "function", name: called };
    const common = { status: "in_progress", call_id: callId, name, ...(namespace && { namespace }) };
    const opened =
      type === "custom"
        ? open("call", "ctc", { type: "custom_tool_call", ...common, input: "" })
        : open("call", "fc", { type: "function_call", ...common, arguments: "" });
    calls.set(place, opened);
    return opened;
  }

  function endCall(opened: Open): void {
    const text = opened.pieces.join("");
    const at = placed(opened);
    opened.item.status = "completed";
    if (opened.item.type === "custom_tool_call") {
      const input = plainTextIn(text);
      opened.item.input = input;
      say("response.custom_tool_call_input.delta", { ...at, delta: input });
      say("response.custom_tool_call_input.done", { ...at, input });
    } else {
      opened.item.arguments = text;
      say("response.function_call_arguments.done", { ...at, name: opened.item.name, arguments: text });
    }
    close(opened);
  }

  return {
    head() {
      say("response.created", { response: whole });
      say("response.in_progress", { response: whole });
      return said();
    },
    chunk({ choices }: ChatChunk) {
      const [choice] = choices;
      if (choice?.index !== 0) return "";
      const {
        content,
        reasoning_content: thoughts,
        reasoning_details: more,
        refusal,
        annotations,
      } = choice.delta;
      if (Array.isArray(more)) {
        for (const each of more) details.push(each);
        if (details.length > 0 && speaking?.kind !== "reasoning") think("");
      }
      if (typeof thoughts === "string" && thoughts !== "") think(thoughts);
      if (typeof content === "string" && content !== "") write(content, recordsOf(choice.logprobs?.content));
      if (typeof refusal === "string" && refusal !== "") refuse(refusal);
      if (Array.isArray(annotations) && annotations.length > 0) annotate(recordsOf(annotations));
      for (const delta of recordsOf(choice.delta.tool_calls)) call(delta);
      return said();
    },
    end(completion) {
      stopSpeaking();
      for (const opened of calls.values()) endCall(opened);
      const reason = unfinished(completion);
      whole = {
        ...whole,
        status: reason === null ? "completed" : "incomplete",
        incomplete_details: reason === null ? null : { reason },
        completed_at: Math.floor(clock.now() / 1000),
        output,
        usage: usageOf(completion),
        service_tier: completion.service_tier ?? whole.service_tier,
      };
      if (reason !== null) for (const item of output) if (item.status) item.status = "incomplete";
      say(`response.${whole.status}`, { response: { ...whole, output: output.map(shown) } });
      return said() + doneEvent;
    },
    failure({ code, message }) {
      say("response.failed", {
        response: { ...whole, status: "failed", output: output.map(shown), error: { code, message } },
      });
      return said();
    },
    body: () => ({ ...whole, output: whole.output.map(shown) }),
    record: () => whole,
  };
}

/** An item as it is shown to who did not ask for the sealed thoughts. */
export function withoutSealed(item: Item): Item {
  const { encrypted_content: _, ...rest } = item;
  return item.type === "reasoning" ? rest : item;
}

function unfinished({ choices: [choice] }: ChatCompletionObject): string | null {
  if (choice?.finish_reason === "length") return "max_output_tokens";
  return choice?.finish_reason === "content_filter" ? "content_filter" : null;
}

/** A chat's usage under the names of responses. */
export function usageOf({ usage }: Pick<ChatCompletionObject, "usage">): NonNullable<Response["usage"]> {
  const detail = (details: unknown, name: string) => numberOf(recordOf(details)[name]) ?? 0;
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: { cached_tokens: detail(usage.prompt_tokens_details, "cached_tokens") },
    output_tokens: usage.completion_tokens,
    output_tokens_details: {
      reasoning_tokens: detail(usage.completion_tokens_details, "reasoning_tokens"),
    },
    total_tokens: usage.total_tokens,
  };
}

/** The text that a model gave to a tool of plain text; all of it, where the model did not keep to the form. */
function plainTextIn(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    if (isRecord(given) && typeof given.input === "string") return given.input;
  } catch {
    // Said as it is.
  }
  return text;
}
