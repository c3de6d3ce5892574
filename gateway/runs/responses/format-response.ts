import { ulidOf } from "#contract/ids.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Item, Response } from "#contract/responses.ts";
import { numberOf, recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import {
  type ChatCompletionObject,
  type ChatFormatter,
  type ChatStamp,
  doneEvent,
} from "#gateway/runs/execution/chat-front.ts";
import { ResponseItems } from "./items.ts";
import type { ToolName } from "./messages.ts";
import { NativeItems } from "./native.ts";
import type { SealedTexts } from "./sealed-text.ts";

/** The request settings that a response repeats. */
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
  | "svc_cost"
>;

export interface FormatOptions {
  settings: Settings;
  names: ReadonlyMap<string, ToolName>;
  sealed: SealedTexts;
  /** Whether the client keeps the model's thoughts itself. */
  showsSealed: boolean;
}

/**
 * `resp_…` for the run `gen_…`. Items get ids with the same time and random part, so an item's id leads to
 * its response.
 */
export function responseIdOf(generationId: string): string {
  return `resp_${ulidOf(generationId)}`;
}

export interface FormattedResponse extends ChatFormatter {
  /** The complete response with its sealed thoughts, for storage. */
  record(): Response;
}

/**
 * Formats a chat as a response: its events while it runs, and the whole. Ids derive from the run's id, so a
 * replay has the same ones. `streams` may be a function that receives the events instead.
 */
export function formatResponse(
  stamp: ChatStamp,
  options: FormatOptions,
  streams: boolean | ((type: string, data: Record<string, unknown>) => void),
): FormattedResponse {
  const { settings, names, sealed, showsSealed } = options;
  let sequence = 0;
  const events: string[] = [];
  const write = (type: string, json: string): void => {
    events.push(`event: ${type}\ndata: ${json}\n\n`);
    sequence += 1;
  };
  const say = (type: string, data: Record<string, unknown>): void => {
    if (typeof streams === "function") streams(type, data);
    if (streams === true) write(type, JSON.stringify({ type, sequence_number: sequence, ...data }));
  };
  const said = (): string => events.splice(0).join("");
  const shown = (item: Item): Item => (showsSealed ? item : withoutSealed(item));
  const items = new ResponseItems({ runId: stamp.id, names, sealed, shown, say });
  const native = new NativeItems(stamp.id, sealed);
  let isNative = false;
  let whole: Response = {
    ...settings,
    id: responseIdOf(stamp.id),
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

  return {
    head() {
      const types = ["response.created", "response.in_progress"] as const;
      // Written once for both events, because the response repeats the tools of its request.
      const json = streams === true ? JSON.stringify({ response: whole }).slice(1) : "";
      for (const type of types) {
        if (streams === true) write(type, `{"type":"${type}","sequence_number":${sequence},${json}`);
        else say(type, { response: whole });
      }
      return said();
    },
    chunk({ choices: [choice], native: event }: ChatChunk) {
      if (event) {
        isNative = true;
        const own = native.event(event);
        const { item } = own?.data ?? {};
        if (own) say(own.type, { ...own.data, ...(isRecord(item) && { item: shown(item) }) });
      } else if (choice?.index === 0) items.add(choice);
      return said();
    },
    end(completion) {
      if (completion.native) native.addAll(completion.native.output);
      else if (!isNative) items.end();
      const output = isNative || completion.native ? native.output : items.output;
      const reason = unfinished(completion);
      whole = {
        ...whole,
        status: reason === null ? "completed" : "incomplete",
        incomplete_details: reason === null ? null : { reason },
        completed_at: Math.floor(clock.now() / 1000),
        output,
        usage: usageOf(completion),
        service_tier: completion.service_tier ?? whole.service_tier,
        ...(completion.svc_cost && { svc_cost: completion.svc_cost }),
        ...(completion.svc_continued && { svc_continued: [...completion.svc_continued] }),
      };
      if (reason !== null) for (const item of output) if (item.status) item.status = "incomplete";
      say(`response.${whole.status}`, { response: { ...whole, output: output.map(shown) } });
      return said() + doneEvent;
    },
    failure({ code, message }) {
      const output = (isNative ? native : items).output.map(shown);
      say("response.failed", { response: { ...whole, status: "failed", output, error: { code, message } } });
      return said();
    },
    body: () => ({ ...whole, output: whole.output.map(shown) }),
    record: () => whole,
  };
}

/** The item for clients that did not request the sealed thoughts. */
export function withoutSealed(item: Item): Item {
  const { encrypted_content: _, ...rest } = item;
  return item.type === "reasoning" ? rest : item;
}

function unfinished({ choices: [choice] }: ChatCompletionObject): string | null {
  if (choice?.finish_reason === "length") return "max_output_tokens";
  return choice?.finish_reason === "content_filter" ? "content_filter" : null;
}

/** A chat's usage under the field names of responses. */
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
