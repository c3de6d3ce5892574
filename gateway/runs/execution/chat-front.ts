import type { RegionName } from "#contract/catalog.ts";
import type { ErrorBody } from "#contract/error.ts";
import type { Cost } from "#contract/money/cost.ts";
import type { ChatChoice, ChatChunk, ChatUsage } from "#gateway/models/providers/provider.ts";

/** A chat's result as OpenAI's chat completions say it; the other ways to say it are made from this. */
export interface ChatCompletionObject {
  /** `gen_…` */
  id: string;
  object: "chat.completion";
  /** Unix seconds. */
  created: number;
  model: string;
  svc_region: RegionName;
  choices: ChatChoice[];
  usage: ChatUsage;
  service_tier?: string | undefined;
  /** What the account pays for it. */
  svc_cost?: Cost;
  /** The models that wrote it one after the other, where its stream broke and was continued. */
  svc_continued?: readonly string[];
  /** The upstream's own answer to a native request. */
  native?: Record<string, unknown>;
}

/** What is known of a chat before its first word. */
export type ChatStamp = Pick<ChatCompletionObject, "id" | "created" | "model" | "svc_region">;

/** The form in which a chat is answered: chat completions, or those of another API. */
export interface ChatFront<Telling extends ChatTelling = ChatTelling> {
  /** Without `streams` no events are needed, only the body. */
  begin(stamp: ChatStamp, streams: boolean): Telling;
  /** Stores a whole answer, before the client learns that it is complete. */
  keep?(answer: Telling): Promise<void>;
}

/** One answer while it is written. All texts are server-sent events, and empty where there is nothing to send. */
export interface ChatTelling {
  head(): string;
  chunk(chunk: ChatChunk): string;
  /** After the last chunk. */
  end(completion: ChatCompletionObject): string;
  /** The stream broke: it ends with this. */
  failure(error: ErrorBody["error"]): string;
  /** All of it, as an answer without a stream; after `end`. */
  body(): unknown;
}

/** A completion as the one chunk of a stream. */
export function chunkOf({ choices, usage, service_tier: tier }: ChatCompletionObject): ChatChunk {
  return {
    choices: choices.map(({ message, finish_reason, logprobs }, index) => {
      const { tool_calls: calls, ...said } = message;
      const delta = calls ? { ...said, tool_calls: calls.map((call, at) => ({ index: at, ...call })) } : said;
      return { index, delta, finish_reason, ...(logprobs && { logprobs }) };
    }),
    usage,
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/** Writes an answer from a completion that is there as a whole. */
export function tellWhole<Telling extends ChatTelling>(
  answer: Telling,
  completion: ChatCompletionObject,
): Telling {
  answer.head();
  answer.chunk(chunkOf(completion));
  answer.end(completion);
  return answer;
}

/** A server-sent event without a name. */
export function eventOf(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
export const doneEvent = "data: [DONE]\n\n";

/** OpenAI's chat completions, as the specification has them. */
export function chatCompletions({ stream_options: options }: Record<string, unknown>): ChatFront {
  const saysUsage = (options as { include_usage?: boolean } | undefined)?.include_usage === true;
  return {
    begin({ id, created, model, svc_region }) {
      const stamp = { id, object: "chat.completion.chunk", created, model, svc_region };
      let whole: ChatCompletionObject | null = null;
      return {
        head: () => "",
        chunk: ({ choices, service_tier, continued }) =>
          choices.length > 0 ? eventOf({ ...stamp, service_tier, choices, svc_continued: continued }) : "",
        end(completion) {
          whole = completion;
          if (!saysUsage) return doneEvent;
          const { usage, svc_cost, svc_continued } = completion;
          return eventOf({ ...stamp, choices: [], usage, svc_cost, svc_continued }) + doneEvent;
        },
        failure: (error) => eventOf({ error }),
        body: () => whole,
      };
    },
  };
}
