import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider, ProviderRequest, ProviderStatus, Started, SyncResult } from "../provider.ts";
import { inRegionOf, keyOf } from "../upstreams/job-status.ts";
import { supportsKind, unsupported } from "../upstreams/kinds.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { speak, speechTypes, transcribe } from "./audio.ts";
import { completeChat } from "./chat.ts";
import { streamChat } from "./chat-stream.ts";
import { embed, rerank } from "./embeddings.ts";
import { openAiFacts, openAiKinds } from "./facts.ts";
import { readOpenAiFault } from "./fault.ts";
import { makeImages } from "./images.ts";
import { forgetVideo, startVideo, videoStatus } from "./videos.ts";

/**
 * An error earlier than this is thrown before the run counts as accepted, so that another upstream can be
 * tried.
 */
const earlyMs = 1_000;

/**
 * Async runs on upstreams that return the result directly. They live in this process, as long as their
 * request.
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
    // The caller attaches a handler later; until then a failure must not be an unhandled rejection.
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
 * this process holds async image runs (`InProcessRuns`); videos are jobs at the upstream.
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

function imagesResult(outputs: Extract<SyncResult, { kind: "images" }>["outputs"]): SyncResult {
  return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
}
