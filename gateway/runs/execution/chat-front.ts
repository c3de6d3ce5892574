import type { FastifyRequest } from "fastify";
import type { RegionName } from "#contract/catalog.ts";
import type { ErrorBody } from "#contract/error.ts";
import { newId } from "#contract/ids.ts";
import type { TokenCount } from "#contract/messages.ts";
import type { Cost } from "#contract/money/cost.ts";
import { chunkOf } from "#gateway/models/providers/chat-answers.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import type {
  ChatChoice,
  ChatChunk,
  ChatUsage,
  ProviderRequest,
} from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { isGuarded } from "#gateway/runs/guards/with-guards.ts";
import { admit, type OperationInput, operationFor } from "#gateway/runs/operations/admit.ts";
import { withModel } from "#gateway/runs/operations/candidates.ts";
import { wishHeader } from "#gateway/runs/operations/provider-wishes.ts";
import { withSyncRequest } from "#gateway/runs/operations/sync-request.ts";

/** A chat's result as an OpenAI chat completion; the other response formats are derived from it. */
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
  /** Missing in answers that earlier releases stored. */
  system_fingerprint?: string | null;
  /** The price that the account pays. */
  svc_cost?: Cost;
  /** The models that wrote the answer in turn, if its stream broke and was continued. */
  svc_continued?: readonly string[];
  /** The upstream's own answer to a native request. */
  native?: Record<string, unknown>;
}

/** The fields of a chat that are known before its first token. */
export type ChatStamp = Pick<ChatCompletionObject, "id" | "created" | "model" | "svc_region">;

/** The response format of a chat: Chat Completions, or that of another API. */
export interface ChatFront<Formatter extends ChatFormatter = ChatFormatter> {
  /** With `streams` false only `body` is used, so no events are made. */
  begin(stamp: ChatStamp, streams: boolean): Formatter;
  /** Stores a whole answer of a provider, before the client learns that it is complete. */
  keep?(answer: Formatter, provider: string): Promise<void>;
}

/**
 * Formats one answer while it is written. All returned strings are server-sent events, and empty when there
 * is nothing to send.
 */
export interface ChatFormatter {
  head(): string;
  chunk(chunk: ChatChunk): string;
  /** Called after the last chunk. */
  end(completion: ChatCompletionObject): string;
  /** Ends a stream that broke. */
  failure(error: ErrorBody["error"]): string;
  /** The whole answer without a stream; call it after `end`. */
  body(): unknown;
}

/** Gives a complete completion to the formatter of an answer. */
export function formatWhole<Formatter extends ChatFormatter>(
  answer: Formatter,
  completion: ChatCompletionObject,
): Formatter {
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

/** OpenAI's Chat Completions, as the specification defines them. */
export function chatCompletions({ stream_options: options }: Record<string, unknown>): ChatFront {
  const saysUsage = (options as { include_usage?: boolean } | undefined)?.include_usage === true;
  return {
    begin({ id, created, model, svc_region }) {
      const object = "chat.completion.chunk";
      // Some clients refuse an answer without this field.
      let fingerprint: string | null = null;
      let whole: ChatCompletionObject | null = null;
      return {
        head: () => "",
        chunk({ choices, service_tier, system_fingerprint = fingerprint, continued }) {
          fingerprint = system_fingerprint;
          if (choices.length === 0) return "";
          // Written out, because spreading an object costs time in every chunk.
          return eventOf({
            id,
            object,
            created,
            model,
            svc_region,
            service_tier,
            system_fingerprint,
            choices,
            svc_continued: continued,
          });
        },
        end(completion) {
          whole = completion;
          if (!saysUsage) return doneEvent;
          const { usage, svc_cost, svc_continued } = completion;
          const stamp = { id, object, created, model, svc_region, system_fingerprint: fingerprint };
          return eventOf({ ...stamp, choices: [], usage, svc_cost, svc_continued }) + doneEvent;
        },
        failure: (error) => eventOf({ error }),
        body: () => whole,
      };
    },
  };
}

/** Maps a chat parameter to its place in the request of another API. */
export type Places = Readonly<Record<string, string>>;

/** Renames the parameter of a chat's error to that of the API that the client used. */
export function underNamesOf(places: Places, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param === null) return error;
  const [name = ""] = error.param.split(/[.[]/);
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  if (place === undefined) return error;
  return new ApiError(error.code, error.message.replace(name, place), {
    param: place,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    cause: error.cause,
  });
}

/** Called for each part of a chat with its place and type in the request of another API. */
export type NotePart = (part: object, sent: { place: string; type: string }) => void;

/**
 * Names a refused part of a chat's message as the client sent it, because the chat has other messages, places
 * and types. `read` makes the messages once more.
 */
export function asSent(
  error: unknown,
  read: (note: NotePart) => readonly Record<string, unknown>[],
): unknown {
  if (!(error instanceof ApiError)) return error;
  const named = error.details?.[0]?.path ?? error.param ?? "";
  const [, message, at] = partPlace.exec(named) ?? [];
  if (at === undefined) return error;
  const places = new Map<unknown, Parameters<NotePart>[1]>();
  const content = read((part, sent) => places.set(part, sent))[Number(message)]?.content;
  const sent = Array.isArray(content) ? places.get(content[Number(at)]) : undefined;
  if (!sent) return error;
  const text = error.message.replace(partPlace, sent.place).replace(/(?<= part of type )\w+/, sent.type);
  return new ApiError(error.code, text, { param: sent.place, cause: error });
}

/** `/messages/1/content/0` or `messages[1].content[0].image_url.url`. */
const partPlace = /\/?messages[/[](\d+)\]?[/.]content[/[](\d+)\]?(?:\.[\w.]*\w)?/;

/** Clients count the tokens before they send a request, so the count must be quick. */
const longestMs = 5_000;

interface Counting<Asked> {
  /** The input that the model reads, for the estimate. */
  read(body: Asked): readonly unknown[];
  /** The chat to count. Throws if the request cannot be expressed as a chat. */
  call(body: Asked): OperationInput;
}

/**
 * Counts the input tokens of a chat: by the upstream that would run it first, if it can count, otherwise by
 * an estimate. Throws as `operationFor`.
 */
export async function countTokens<Asked extends { model: string }>(
  context: RunsContext,
  request: FastifyRequest,
  asked: Asked,
  { read, call }: Counting<Asked>,
): Promise<TokenCount> {
  const { actor } = request.caller;
  const body = (await withModel(context, actor, asked)) as Asked;
  operationFor(context, actor, "chat-completions", body);
  const counted = await countUpstream(context, request, body, call).catch((error: unknown) => {
    request.log.info({ err: error }, "a chat's tokens are estimated");
    return null;
  });
  if (counted !== null) return { input_tokens: counted, svc_estimated: false };
  return { input_tokens: tokensIn(read(body)), svc_estimated: true };
}

/** The upstream's count; null if the upstream cannot count before a run, or must not see what no guard has allowed. */
async function countUpstream<Asked extends { model: string }>(
  context: RunsContext,
  request: FastifyRequest,
  body: Asked,
  call: Counting<Asked>["call"],
): Promise<number | null> {
  const { actor } = request.caller;
  const { model, operation } = operationFor(context, actor, "chat-completions", body);
  const counts = model.available_regions.some((region) =>
    context.providers.route(model, operation, region).some((provider) => provider.countTokens),
  );
  if (!counts) return null;
  const wishedBeside = request.headers[wishHeader];
  const admitted = await admit(context, actor, {
    ...call(body),
    ...(wishedBeside !== undefined && { wishedBeside }),
  });
  if (await isGuarded(context, admitted)) return null;
  const [provider] = admitted.routes.route(model, operation, admitted.region);
  const { countTokens: count } = provider ?? {};
  if (!count) return null;
  const signal = AbortSignal.timeout(longestMs);
  const log = request.log as ProviderRequest["log"];
  const run = { id: newId("generation"), reserved: null, reservedCost: null };
  return withSyncRequest(context, admitted, run, { signal, log }, (there) => count(there));
}
