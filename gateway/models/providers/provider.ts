import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { ApiType, CatalogModel, CatalogOperation, RegionName } from "#contract/catalog.ts";
import type { CutStreamRule, RouteReason } from "#contract/operator/constants.ts";
import type { Engine } from "#gateway/models/catalog/entry.ts";
import type { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { KeyRing } from "./upstreams/key-ring.ts";

/**
 * The interface of every upstream. A provider never sees the client's credentials, writes nothing
 * to the database of predictions, and never hands out its own URLs: outputs come back as bytes, files or URLs that the
 * pipeline copies to the object store.
 */
export interface Provider {
  readonly id: string;
  /** True when no model runs (the built-in sandbox): all of its outputs say so. */
  readonly sandbox: boolean;
  /** Whether this provider can run the operation at all; the reason is shown to the caller otherwise. */
  supports(operation: CatalogOperation, model: CatalogModel): { ok: true } | { ok: false; reason: string };
  /** The protocol of its upstream, where a client's request in that protocol goes through as it is. */
  readonly speaks?: string;
  /** Whether its transcriptions can say when each word was said. */
  readonly givesWords?: boolean;
  /** How many tokens a chat's input has, where it can be asked before it runs. */
  countTokens?(request: ProviderRequest): Promise<number>;
  /** Other formats of speech than WAV that can be asked of it. */
  readonly speechFormats?: readonly string[];
  /** Which parameters of a request it does not honour, although the entry takes them. */
  ignores?(request: { operation: CatalogOperation; input: Record<string, unknown> }): string[];
  /** Runs a sync operation to its result. Throws ProviderError. */
  execute(request: ProviderRequest): Promise<SyncResult>;
  /** Runs a chat with `stream: true`. Throws ProviderError before the first chunk or in the middle. */
  stream(request: ProviderRequest): AsyncIterable<ChatChunk>;
  /** Starts an async operation. Throws ProviderError; `started` says whether it may be sent again. */
  start(request: ProviderRequest): Promise<Started>;
  /**
   * The state of an async operation. May be called by another process than the one that started it. An error here is
   * temporary and retried; the operation's own failure is a state.
   */
  status(ref: ProviderRef, request: ProviderRequest): Promise<ProviderStatus>;
  /** Best effort. */
  cancel(
    ref: ProviderRef,
    request: ProviderRequest,
  ): Promise<"canceled" | "requested" | "too_late" | "unsupported">;
  /** Stops a run if this process has it. Only of a provider whose runs live in the process that started them. */
  stop?(ref: ProviderRef): void;
  /** When the next provider is asked instead for an operation of a kind; without it as a route does that says nothing about it. */
  goOnWhen?(kind: ApiType): readonly RouteReason[];
  /** How long it may be silent in a chat while somebody else could be asked; null: any time. */
  readonly patience?: Patience;
  /** Whether a stream of it that breaks is continued elsewhere. */
  readonly continuesStreams?: boolean;
  /** Whether its model continues a last message of the assistant. */
  readonly acceptsPrefill?: boolean;
  /** The longest `Retry-After` of a 429 that a request waits for, to ask it again; without it none. */
  readonly waitForRetryAfterMs?: number;
  /** What it bills of a stream that ended early; without it what was counted. */
  readonly cutStreams?: CutStreamRule;
  /** The keys of a region, where it has several. */
  keyRing?(region: RegionName): KeyRing | null;
  /**
   * Whether `start` may be repeated when a crash left it unknown whether the upstream began. Only true if a second
   * start of the same request costs nothing and yields the same outputs.
   */
  readonly restartable: boolean;
  /** Deletes what it keeps for a prediction (files, upstream references); called at removal. */
  forget?(ref: ProviderRef): Promise<void>;
  close?(): Promise<void>;
}

/** How long a chat may be silent, in ms. */
export interface Patience {
  /** Before its first content. Null for a model that thinks without sending anything. */
  firstTokenMs: number | null;
  /** Between two pieces of content. */
  nextTokenMs: number;
}

export interface Started {
  ref: ProviderRef;
  pollAfterMs?: number;
  /**
   * Set when the upstream has no jobs and answers with the result itself: it arrives here, in this process, and
   * `status` can only report that it is lost when the process dies.
   */
  result?: Promise<ProviderStatus>;
}

/** A request as the client of another API than chat completions wrote it. */
export interface NativeRequest {
  /** Whose API it is: `anthropic` or `openai-responses`. */
  protocol: string;
  /** For an upstream of that API. Null where none could read it: it names files of the gateway. */
  body(): Record<string, unknown> | null;
  /** What the client tries out, as a header says it. */
  betas: string | null;
  /** What a chat leaves out of it. */
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
  /** Where the result holds the files, from the catalog entry; without it, wherever files are usually found. */
  outputField?: string | undefined;
  region: RegionName;
  /** The name of the key to use, where the provider has several in the region. */
  key?: string;
  /**
   * The validated body with schema defaults applied, without `model` and `region`; media fields hold the caller's text.
   */
  input: Record<string, unknown>;
  native?: NativeRequest;
  /** The media of the input, resolved to local files, in the order of the body. */
  media: ResolvedMedia[];
  /** A signed URL under which an upstream can fetch one of `media` while the run may last. */
  mediaUrl(media: ResolvedMedia): Promise<string>;
  /** The caller wants a transcription with times: segments are requested if the upstream supports them. */
  wantsSegments?: boolean;
  /** And when each word was said; asked of providers that give it. */
  wantsWords?: boolean;
  /** The format of speech to ask for, where it is not WAV; one of the provider's `speechFormats`. */
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
  /** A private local file that lives as long as the run. */
  file: string;
}

/**
 * A file that an operation made: bytes in memory, a local file, an upstream URL that the pipeline fetches, or a stream
 * that only the provider can open.
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

/** A vector for each text, in their order, all of the same length. */
export interface Embeddings {
  kind: "embeddings";
  vectors: number[][];
  usage: Usage;
}

/** Texts by their places in the request, the best first. */
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
  /** In order; missing if the upstream gives no times. */
  segments?: TranscriptSegment[];
  words?: TranscriptWord[];
  usage: Usage;
}

/** Speech as WAV, or in the format that was asked for. */
export interface SpokenText {
  kind: "speech";
  audio: Buffer;
  /** Of another format than WAV. */
  contentType?: string;
  usage: Usage;
}

/** Seconds from the start. */
export interface TranscriptWord {
  word: string;
  start: number;
  end: number;
}

/** What was said between two times, in seconds from the start. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** OpenAI's chat shapes without the fields that the gateway adds itself (id, object, created, model, svc_region). */
export interface ChatCompletion {
  choices: ChatChoice[];
  usage: ChatUsage;
  service_tier?: string;
  /** The upstream's own answer to a native request. */
  native?: Record<string, unknown>;
}
export interface ChatChoice {
  index: number;
  message: ChatMessage;
  finish_reason: string | null;
  logprobs: Logprobs | null;
}
/** With whatever else the upstream said: `reasoning_details`, `annotations`, … */
export interface ChatMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: ToolCall[];
  reasoning_content?: string;
  refusal: string | null;
  [more: string]: unknown;
}
export type Logprobs = Record<string, unknown>;
/** A function's, or of another `type` with a member of that name; with whatever else the upstream said, as a signature. */
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
export interface ChatChunk {
  choices: {
    index: number;
    delta: Record<string, unknown>;
    finish_reason: string | null;
    logprobs?: Logprobs;
  }[];
  /** On the last chunk. */
  usage?: ChatUsage;
  /** What the upstream has counted at the beginning: all that is known of a stream that is cut. */
  usageSoFar?: ChatUsage;
  service_tier?: string;
  /** The models of a stream that broke, from here on the last one's: what is sent before this is theirs. */
  continued?: readonly string[];
  /** The upstream's own event, in answer to a native request. */
  native?: Record<string, unknown>;
}

export type ProviderStatus =
  | { state: "queued" | "running"; progress?: number; pollAfterMs?: number }
  /** Without `usage` the pipeline measures the outputs. */
  | { state: "succeeded"; outputs: ProviderOutput[]; usage?: Usage }
  | { state: "failed"; error: ProviderError }
  | { state: "canceled" };
