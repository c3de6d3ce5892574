import { openAsBlob } from "node:fs";
import type { Readable } from "node:stream";
import { FormData } from "undici";
import { byName } from "#contract/by-name.ts";
import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError, type ProviderRef } from "#gateway/platform/core/provider-error.ts";
import { tokensIn } from "../estimated-usage.ts";
import { invalidAnswer, maxBytes, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { jobFailure } from "../http/refusal.ts";
import { inRegionOf, jobState, keyOf, pollAfterMs } from "../jobs.ts";
import { askedSeconds, upstreamFields } from "../media/inputs.ts";
import { type Mapped, type Protocol, supportsKind, unsupported } from "../protocol.ts";
import {
  documentTexts,
  type Provider,
  type ProviderRequest,
  type ProviderStatus,
  type Started,
  type SyncResult,
} from "../provider.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";
import { completeChat, readOpenAiFault, streamChat } from "./chat.ts";
import { openAiFacts, openAiKinds } from "./facts.ts";
import { addFields, makeImages, speak, speechTypes, transcribe } from "./media.ts";

/**
 * An error within this time is thrown before the run counts as accepted, so that another upstream can be
 * tried.
 */
const earlyMs = 1_000;

/**
 * Async runs on upstreams that return the result directly. Such a run lives in this process, for as long as
 * its request.
 */
class InProcessRuns {
  private readonly running = new Map<string, AbortController>();

  /** Sends the request once. Throws an early failure; a later one becomes the result of the run. */
  async start(
    ref: ProviderRef,
    request: ProviderRequest,
    run: (request: ProviderRequest) => Promise<ProviderStatus>,
  ): Promise<Started> {
    const abort = new AbortController();
    this.running.set(request.id, abort);
    const signal = AbortSignal.any([request.signal, abort.signal]);
    const answer = run({ ...request, signal }).finally(() => this.running.delete(request.id));
    const result = answer.catch((error: unknown) => failed(error));
    // The caller attaches its handler later. Without this one, an earlier failure would be an unhandled
    // rejection.
    result.catch(() => undefined);
    const early = new Promise<null>((resolve) => setTimeout(resolve, earlyMs, null).unref());
    await Promise.race([answer, early]);
    return { ref, result };
  }

  /** Called only if the run's process has died or could not save the result. */
  lost(): ProviderStatus {
    return {
      state: "failed",
      error: unknownOutcome("The provider's answer did not reach the gateway."),
    };
  }

  cancel(id: string): "canceled" | "unsupported" {
    const held = this.running.get(id);
    held?.abort();
    return held ? "canceled" : "unsupported";
  }
}

function failed(error: unknown): ProviderStatus {
  if (!(error instanceof ProviderError)) throw error;
  return {
    state: "failed",
    error: error.started === "unknown" ? unknownOutcome(error.message, error) : error,
  };
}

function unknownOutcome(message: string, cause?: unknown): ProviderError {
  return new ProviderError(
    "upstream_outcome_unknown",
    `${message} Whether it ran is unknown, so it was not sent again.`,
    { started: "unknown", cause },
  );
}

const forgetMs = 10_000;

/** Shared by all connections: a run can be canceled after its connection was changed. */
const runs = new InProcessRuns();

/**
 * Any server of OpenAI's API: OpenAI itself, OpenRouter, vLLM, Together, … Images come with the answer, so
 * this process itself keeps track of async image runs (`InProcessRuns`); videos are jobs at the upstream.
 */
export const openAi: Protocol = {
  name: "openai",
  kinds: openAiKinds,
  hosts: { any: "https://api.openai.com/v1" },
  scheme: "Bearer",
  facts: openAiFacts,
  readFault: readOpenAiFault,
  open: () => (mapped) => createOpenAi(mapped, runs),
};

const videosPath = "/videos";

/** The shorter side in pixels. */
const shortSides = byName<number>({
  "480P": 480,
  "720P": 720,
  "1080P": 1080,
  "2K": 1440,
  "4K": 2160,
});

function createOpenAi(mapped: Mapped, held: InProcessRuns): Provider {
  const { upstream } = mapped;
  return {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    givesWords: true,
    speechFormats: Object.keys(speechTypes),
    supports: supportsKind(openAiKinds, "openai"),

    execute(request): Promise<SyncResult> {
      switch (request.operation.api_type) {
        case "chat-completions":
          return completeChat(mapped, request);
        case "text-to-speech":
          return speak(mapped, request);
        case "audio-transcription":
          return transcribe(mapped, request);
        case "image-generation":
        case "image-editing":
          return makeImages(mapped, request).then(imagesResult);
        case "embeddings":
          return embed(mapped, request);
        case "rerank":
          return rerank(mapped, request);
        default:
          return Promise.reject(unsupported(request));
      }
    },

    stream: (request) => streamChat(mapped, request),

    async start(request) {
      const ref = { provider: upstream.name, region: request.region, startedAt: clock.now() };
      if (request.operation.api_type === "video-generation")
        return { ref: { ...ref, ...(await startVideo(mapped, request)) }, pollAfterMs: 2_000 };
      return held.start({ ...ref, held: request.id }, request, async (run): Promise<ProviderStatus> => {
        const outputs = await makeImages(mapped, run);
        return { state: "succeeded", outputs };
      });
    },

    status: async (ref, request) =>
      ref.held === undefined ? videoStatus(upstream, ref, inRegionOf(ref, request)) : held.lost(),

    async cancel(ref) {
      return ref.held === undefined ? "unsupported" : held.cancel(String(ref.held));
    },

    stop: (ref) => void held.cancel(String(ref.held)),

    async forget(ref) {
      if (ref.held !== undefined) return;
      const region = ref.region as RegionName;
      const key = keyOf(ref);
      const caller = { region, ...(key !== undefined && { key }), signal: AbortSignal.timeout(forgetMs) };
      await forgetVideo(upstream, ref, caller);
    },
  };
}

/**
 * Embeds texts: `POST /embeddings`. Always requests numbers, which every server supports; the gateway encodes
 * them later as the caller requested.
 */
async function embed({ upstream, model, fields }: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const json = { ...upstreamFields(request.input, fields), model, encoding_format: "float" };
  const answer = await upstream.json(request, { path: "/embeddings", json }, maxBytes.media);
  const vectors = vectorsIn(answer.data, countOf(request.input.input));
  const { prompt_tokens: prompt, total_tokens: total } = recordOf(answer.usage);
  const quantity = numberOf(prompt) ?? numberOf(total) ?? tokensIn([request.input.input]);
  return { kind: "embeddings", vectors, usage: { unit: "token", quantity } };
}

/** Throws `upstream_invalid_response` unless there is one vector for each text, all of the same length. */
function vectorsIn(data: unknown, count: number): number[][] {
  const items = recordsOf(data);
  const vectors = new Array<number[] | undefined>(count);
  for (const [at, { index, embedding }] of items.entries()) {
    const place = numberOf(index) ?? at;
    if (place >= 0 && place < count) vectors[place] = vectorOf(embedding);
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  const [first] = whole;
  if (items.length !== count || whole.length !== count || !first)
    throw invalidAnswer(`The provider answered ${items.length} vectors for ${count} texts.`);
  if (first.length === 0 || whole.some(({ length }) => length !== first.length))
    throw invalidAnswer("The provider's vectors have different lengths.");
  return whole;
}

/** Some servers answer base64 whatever was requested. */
function vectorOf(value: unknown): number[] {
  if (Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one)))
    return value;
  if (typeof value !== "string")
    throw invalidAnswer("The provider's answer has a vector that is not numbers.");
  const bytes = Buffer.from(value, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw invalidAnswer("The provider's answer has a vector that is not numbers.");
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** The number of texts: a string or one list of tokens counts as one; a list of either counts its items. */
function countOf(input: unknown): number {
  return Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1;
}

/**
 * Ranks texts by how well they answer a question: `POST /rerank`, the endpoint of Cohere, Jina, vLLM and
 * llama.cpp.
 */
async function rerank({ upstream, model, fields }: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const { return_documents: _, documents, ...input } = upstreamFields(request.input, fields);
  const texts = documentTexts(documents);
  const answer = await upstream.json(request, {
    path: "/rerank",
    json: { ...input, model, documents: texts },
  });
  const results = recordsOf(answer.results).map(({ index, relevance_score: score, score: other }) => ({
    index: numberOf(index) ?? -1,
    score: numberOf(score) ?? numberOf(other) ?? Number.NaN,
  }));
  const places = new Set(results.map(({ index }) => index));
  const fit = results.every(
    ({ index, score }) => index >= 0 && index < texts.length && Number.isFinite(score),
  );
  if (results.length === 0 || places.size < results.length || !fit)
    throw invalidAnswer("The provider's ranking does not match the number of texts.");
  results.sort((one, other) => other.score - one.score);
  return { kind: "rerank", results, usage: { unit: "operation", quantity: 1 } };
}

/** Starts a video: `POST /videos`, always as a form, like OpenAI's own client. */
async function startVideo(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<{ upstreamId: string }> {
  const form = new FormData();
  const { duration: _, resolution: __, ratio: ___, media: ____, ...rest } = request.input;
  const pointers = new Set(request.media.map((media) => media.path.split("/")[1]));
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !pointers.has(name)));
  const seconds = askedSeconds(request);
  const size = frameSize(request.input);
  const sized = { ...own, ...(seconds !== null && { seconds: String(seconds) }), ...(size && { size }) };
  addFields(form, { ...upstreamFields(sized, fields), model });
  const reference = request.media.find(({ kind }) => kind !== "audio");
  if (reference)
    form.set(
      "input_reference",
      await openAsBlob(reference.file, { type: reference.contentType }),
      `reference.${reference.contentType.split("/")[1] ?? "bin"}`,
    );
  const answer = await upstream.json(request, { path: videosPath, form, wait: "job" });
  const id = textOf(answer.id);
  if (id === null) throw lostJob();
  return { upstreamId: id };
}

/** `WxH` for a resolution tier and an aspect ratio, in even numbers; null if the caller gave no tier. */
export function frameSize({ resolution, ratio }: Record<string, unknown>): string | null {
  const short = shortSides[String(resolution)];
  if (short === undefined) return null;
  const [across = 16, down = 9] = (/^(\d+):(\d+)$/.exec(String(ratio))?.slice(1) ?? []).map(Number);
  const scale = short / Math.min(across, down);
  const even = (side: number) => Math.round((side * scale) / 2) * 2;
  return `${even(across)}x${even(down)}`;
}

async function videoStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const path = videoPath(ref);
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const state = jobState(answer.status);
  if (state === "succeeded") {
    const url = textOf(answer.url) ?? textOf(answer.video_url) ?? textOf(recordOf(answer.output).url);
    const source = url
      ? { url }
      : { open: (signal: AbortSignal) => content(upstream, `${path}/content`, { ...request, signal }) };
    const seconds = Number(answer.seconds);
    return {
      state,
      outputs: [{ ...source, contentType: "video/mp4" }],
      ...(seconds > 0 &&
        request.operation.billing_unit === "second" && {
          usage: { unit: "second" as const, quantity: seconds },
        }),
    };
  }
  if (state === "failed") {
    const { code, message } = recordOf(answer.error);
    return { state, error: jobFailure({ code: textOf(code), message: textOf(message), param: null }) };
  }
  if (state === "canceled") return { state };
  const progress = numberOf(answer.progress);
  return { state, ...(progress !== null && { progress }), pollAfterMs: pollAfterMs(ref.startedAt) };
}

async function content(upstream: Upstream, path: string, request: ProviderRequest): Promise<Readable> {
  const gone = () =>
    new ProviderError("upstream_invalid_response", "The provider reported success without an output.", {
      started: "yes",
      final: true,
    });
  return (await upstream.open(request, { method: "GET", path, gone })).body;
}

function videoPath(ref: ProviderRef): string {
  return `${videosPath}/${encodeURIComponent(String(ref.upstreamId))}`;
}

/** Removes the upstream's copy; best effort. */
async function forgetVideo(upstream: Upstream, ref: ProviderRef, caller: Parameters<Upstream["open"]>[0]) {
  const answer = await upstream.open(caller, { method: "DELETE", path: videoPath(ref), wait: "job" });
  answer.body.resume();
}

function imagesResult(outputs: Extract<SyncResult, { kind: "images" }>["outputs"]): SyncResult {
  return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
}
