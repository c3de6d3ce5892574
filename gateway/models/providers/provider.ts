import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { ApiType, CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { CutStreamRule, RouteReason } from "#contract/operator/constants.ts";
import type { Engine } from "#gateway/models/catalog/entry.ts";
import type { ProviderError, ProviderRef } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { TraceHeaders } from "#gateway/platform/telemetry/telemetry.ts";
import type { Conversation } from "./conversation.ts";
import type { KeyRing } from "./upstreams/key-ring.ts";

/**
 * The interface of every upstream. A provider never sees the client's credentials, writes nothing to the
 * database of predictions, and never exposes its own URLs: outputs are returned as bytes, files or URLs that
 * the pipeline copies to the object store.
 */
export interface Provider {
  readonly id: string;
  /** True if no model runs (the built-in sandbox); all of its outputs are marked accordingly. */
  readonly sandbox: boolean;
  /** Whether this provider can run the operation at all; if not, the caller sees the reason. */
  supports(operation: CatalogOperation, model: CatalogModel): { ok: true } | { ok: false; reason: string };
  /** The upstream's protocol, if requests of clients that speak it are passed through unchanged. */
  readonly speaks?: string;
  /** Whether its transcriptions can include the time of each word. */
  readonly givesWords?: boolean;
  /** Counts a chat's input tokens before it runs, if the upstream can. */
  countTokens?(request: ProviderRequest): Promise<number>;
  /** Speech formats besides WAV that it can make. */
  readonly speechFormats?: readonly string[];
  /** Parameters that it ignores although the entry accepts them. */
  ignores?(request: { operation: CatalogOperation; input: Record<string, unknown> }): string[];
  /** Parameters that its route never sends. */
  readonly omits?: readonly string[];
  /** Runs a sync operation to its result. Throws ProviderError. */
  execute(request: ProviderRequest): Promise<SyncResult>;
  /** Runs a chat with `stream: true`. Throws ProviderError before the first chunk or in the middle. */
  stream(request: ProviderRequest): AsyncIterable<ChatChunk>;
  /**
   * Starts an async operation. Throws ProviderError; its `started` shows whether the request may be sent
   * again.
   */
  start(request: ProviderRequest): Promise<Started>;
  /**
   * The state of an async operation. May be called from another process than the one that started it. An
   * error here is temporary and retried; the operation's own failure is a state.
   */
  status(ref: ProviderRef, request: ProviderRequest): Promise<ProviderStatus>;
  /** Cancels a run; best effort, because some upstreams cannot. */
  cancel(
    ref: ProviderRef,
    request: ProviderRequest,
  ): Promise<"canceled" | "requested" | "too_late" | "unsupported">;
  /**
   * Stops a run that this process holds. Only for providers whose runs live in the process that started them.
   */
  stop?(ref: ProviderRef): void;
  /**
   * The failures after which the next provider is tried, by kind of operation; without it the default of
   * routes applies.
   */
  goOnWhen?(kind: ApiType): readonly RouteReason[];
  /** How long a chat may be silent while another upstream could be tried; null: unlimited. */
  readonly patience?: Patience;
  /** Whether its upstream recently answered a chat as a whole although a stream was requested. */
  answersWhole?(): boolean;
  /** Whether its broken streams are continued elsewhere. */
  readonly continuesStreams?: boolean;
  /** Whether its model continues an assistant message at the end of the conversation. */
  readonly acceptsPrefill?: boolean;
  /**
   * The longest `Retry-After` of a 429 that a request waits for before another attempt. If missing, it never
   * waits.
   */
  readonly waitForRetryAfterMs?: number;
  /** The upstream's billing of a stream that ended early; by default the counted tokens. */
  readonly cutStreams?: CutStreamRule;
  /** The keys of a region that has several. */
  keyRing?(region: RegionName): KeyRing | null;
  /** Whether its route draws a key for each request, also within a conversation. */
  readonly drawsAnew?: boolean;
  /**
   * Whether `start` may be repeated when a crash left it unknown whether the upstream began. Only true if a
   * second start of the same request costs nothing and yields the same outputs.
   */
  readonly restartable: boolean;
  /** Deletes the provider's data for a prediction (files, upstream references); called when it is removed. */
  forget?(ref: ProviderRef): Promise<void>;
  close?(): Promise<void>;
}

/** How long a chat may be silent, in ms. */
export interface Patience {
  /** Null for a model that thinks without sending anything. */
  firstTokenMs: number | null;
  /** Between two pieces of content. */
  nextTokenMs: number;
}

export interface Started {
  ref: ProviderRef;
  pollAfterMs?: number;
  /**
   * Set when the upstream has no jobs and returns the result directly. The result arrives in this process
   * only; if the process dies, `status` can only report the result as lost.
   */
  result?: Promise<ProviderStatus>;
}

/** The original request of a client that speaks another API than Chat Completions. */
export interface NativeRequest {
  /** The client's API: `anthropic` or `openai-responses`. */
  protocol: string;
  /**
   * The body for an upstream of that API. Null if it names files of the gateway, which no upstream could
   * read.
   */
  body(): Record<string, unknown> | null;
  /** The beta features in the client's header. */
  betas: string | null;
  /** Fields of the client's body that the chat does not contain. */
  ignored: readonly string[];
}

export interface ProviderRequest {
  /** `gen_…` of a sync run, `pred_…` of an async one. */
  id: string;
  accountId: string;
  model: CatalogModel;
  operation: CatalogOperation;
  /** The kind of work, from the catalog entry. */
  engine: Engine;
  /** The result field with the files, from the catalog entry; by default one of the usual fields. */
  outputField?: string | undefined;
  region: RegionName;
  /** The name of the key to use, if the provider has several in the region. */
  key?: string;
  /**
   * The validated body with schema defaults applied, without `model` and `region`; media fields hold the caller's text.
   */
  input: Record<string, unknown>;
  native?: NativeRequest;
  /** The conversation that it belongs to, if it should stay with one route and key. */
  conversation?: Conversation;
  /** The media of the input, resolved to local files, in the order of the body. */
  media: ResolvedMedia[];
  /** A signed URL from which an upstream can fetch one of `media` as long as the run may last. */
  mediaUrl(media: ResolvedMedia): Promise<string>;
  /** The caller wants a transcription with times: segments are requested if the upstream supports them. */
  wantsSegments?: boolean;
  /** The caller also wants the time of each word; requested from providers that support it. */
  wantsWords?: boolean;
  /** The headers of its trace, for upstreams that get them; missing if nothing is traced. */
  trace?(): TraceHeaders;
  /** Called with each JSON body before it is sent; `isNative`: it was made from `native`. */
  noteSent?(body: unknown, isNative: boolean): void;
  /** The speech format to request if it is not WAV; one of the provider's `speechFormats`. */
  speechFormat?: string;
  signal: AbortSignal;
  log: Logger;
}

/** One media input, fetched, sized and sniffed. */
export interface ResolvedMedia {
  /** JSON pointer of the field, e.g. `/image/0` or `/media/2/url`. */
  path: string;
  kind: "image" | "audio" | "video";
  contentType: string;
  sizeBytes: number;
  /** The sha256 of the file's bytes; missing for inputs of a prediction that an earlier release accepted. */
  sha256?: string;
  /** A private local file that lives as long as the run. */
  file: string;
}

/**
 * A file made by an operation: bytes in memory, a local file, an upstream URL that the pipeline fetches, or a
 * stream that only the provider can open.
 */
export type OutputSource =
  | { bytes: Buffer }
  | { file: string }
  | { url: string }
  | { open: (signal: AbortSignal) => Promise<Readable> };

export type ProviderOutput = OutputSource & {
  contentType: string;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
};

export type SyncResult =
  | { kind: "chat"; completion: ChatCompletion; usage: Usage }
  | SpokenText
  | Transcription
  | { kind: "voices"; data: Record<string, unknown>; usage: Usage }
  | { kind: "images"; outputs: ProviderOutput[]; usage: Usage }
  | Embeddings
  | Ranking;

/** One vector per text, in order, all of the same length. */
export interface Embeddings {
  kind: "embeddings";
  vectors: number[][];
  usage: Usage;
}

/** Texts by their index, best first. */
export interface Ranking {
  kind: "rerank";
  results: { index: number; score: number }[];
  usage: Usage;
}

export interface Transcription {
  kind: "transcription";
  text: string;
  language?: string;
  durationSeconds?: number;
  /** In the order of the recording; missing if the upstream gives no times. */
  segments?: TranscriptSegment[];
  words?: TranscriptWord[];
  usage: Usage;
}

/** Speech as WAV, or in the requested format. */
export interface SpokenText {
  kind: "speech";
  audio: Buffer;
  /** Set if it is not WAV. */
  contentType?: string;
  usage: Usage;
}

/** Seconds from the start. */
export interface TranscriptWord {
  word: string;
  start: number;
  end: number;
}

/** The words between two times, in seconds from the start. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** What an upstream may report about how it ran a chat. */
export interface ChatLabels {
  service_tier?: string;
  system_fingerprint?: string;
}

/** OpenAI's chat shapes without the fields that the gateway adds itself (id, object, created, model, svc_region). */
export interface ChatCompletion extends ChatLabels {
  choices: ChatChoice[];
  usage: ChatUsage;
  /** The upstream's own answer to a native request. */
  native?: Record<string, unknown>;
}

export interface ChatChoice {
  index: number;
  message: ChatMessage;
  finish_reason: string | null;
  logprobs: Logprobs | null;
}

/** Also has the upstream's other fields: `reasoning_details`, `annotations`, … */
export interface ChatMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: ToolCall[];
  reasoning_content?: string;
  refusal: string | null;
  [more: string]: unknown;
}

export type Logprobs = Record<string, unknown>;

/**
 * A function call, or one of another `type` with a field of that name; also has the upstream's other fields,
 * such as a signature.
 */
export interface ToolCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
  [more: string]: unknown;
}

export interface FunctionCall extends ToolCall {
  type: "function";
  function: { name: string; arguments: string };
}

export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [key: string]: unknown;
}

export interface ChatChunk extends ChatLabels {
  choices: {
    index: number;
    delta: Record<string, unknown>;
    finish_reason: string | null;
    logprobs?: Logprobs;
  }[];
  /** Only on the last chunk. */
  usage?: ChatUsage;
  /** The upstream's counts at the beginning of a stream; the only ones if the stream is cut. */
  usageSoFar?: ChatUsage;
  /**
   * The models of a continued stream, in order: the last one writes from this chunk on, the others wrote the
   * earlier text.
   */
  continued?: readonly string[];
  /** The upstream's original event, for a native request. */
  native?: Record<string, unknown>;
}

export type ProviderStatus =
  | { state: "queued" | "running"; progress?: number; pollAfterMs?: number }
  /** Without `usage` the pipeline measures the outputs. */
  | { state: "succeeded"; outputs: ProviderOutput[]; usage?: Usage }
  | { state: "failed"; error: ProviderError }
  | { state: "canceled" };

/** The texts of documents to rank; a document may be an object that contains the text. */
export function documentTexts(documents: unknown): string[] {
  if (!Array.isArray(documents)) return [];
  return documents.map((one) => String(isRecord(one) ? one.text : one));
}
