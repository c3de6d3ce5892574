import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/core/clock.ts";
import type { ProviderRef } from "#gateway/core/provider-ref.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider, ProviderRequest } from "../provider.ts";
import { resultOf } from "../upstreams/job-status.ts";
import { supportsKind, unsupported } from "../upstreams/kinds.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import type { OutputFetch } from "../upstreams/output-fetch.ts";
import { runJobOperation } from "../upstreams/run-job-operation.ts";
import { readReplicateFault } from "./fault.ts";
import { cancelPrediction, createPrediction, predictionStatus } from "./predictions.ts";

const kinds = [
  "text-to-speech",
  "audio-transcription",
  "image-generation",
  "image-editing",
  "video-generation",
] as const;

/** Replicate and compatible servers: everything is a prediction, its inputs are the model's own fields. */
export const replicate: Protocol = {
  name: "replicate",
  kinds,
  hosts: { any: "https://api.replicate.com/v1" },
  scheme: "Bearer",
  readFault: readReplicateFault,
  open:
    ({ fetchOutput }) =>
    (mapped) =>
      createReplicate(mapped, fetchOutput),
};

function createReplicate(mapped: Mapped, fetchOutput: OutputFetch): Provider {
  const { upstream } = mapped;
  const provider: Provider = {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    supports: supportsKind(kinds, "replicate"),
    execute: (request) =>
      runJobOperation(provider, request, { runMs: upstream.settings.timeouts.runMs, fetchOutput, resultOf }),
    // biome-ignore lint/correctness/useYield: it refuses before the first chunk
    async *stream(request) {
      throw unsupported(request);
    },
    async start(request) {
      const ref = { provider: upstream.name, region: request.region, startedAt: clock.now() };
      return { ref: { ...ref, ...(await createPrediction(mapped, request)) }, pollAfterMs: 1_000 };
    },
    status: (ref, request) => predictionStatus(upstream, ref, inRegionOf(ref, request)),
    cancel: (ref, request) => cancelPrediction(upstream, ref, inRegionOf(ref, request)),
  };
  return provider;
}

function inRegionOf(ref: ProviderRef, request: ProviderRequest): ProviderRequest {
  return { ...request, region: ref.region as RegionName };
}
