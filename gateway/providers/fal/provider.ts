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
import { readFalFault } from "./fault.ts";
import { cancelRequest, queueStatus, submit } from "./queue.ts";

const kinds = [
  "text-to-speech",
  "audio-transcription",
  "image-generation",
  "image-editing",
  "video-generation",
] as const;

/** fal's queue: a request is submitted, polled and fetched at the URLs that fal returns. */
export const fal: Protocol = {
  name: "fal",
  kinds,
  hosts: { any: "https://queue.fal.run" },
  scheme: "Key",
  readFault: readFalFault,
  open:
    ({ fetchOutput }) =>
    (mapped) =>
      createFal(mapped, fetchOutput),
};

function createFal(mapped: Mapped, fetchOutput: OutputFetch): Provider {
  const { upstream } = mapped;
  const provider: Provider = {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    supports: supportsKind(kinds, "fal"),
    execute: (request) =>
      runJobOperation(provider, request, { runMs: upstream.settings.timeouts.runMs, fetchOutput, resultOf }),
    // biome-ignore lint/correctness/useYield: it refuses before the first chunk
    async *stream(request) {
      throw unsupported(request);
    },
    async start(request) {
      const ref = { provider: upstream.name, region: request.region, startedAt: clock.now() };
      return { ref: { ...ref, ...(await submit(mapped, request)) }, pollAfterMs: 1_000 };
    },
    status: (ref, request) => queueStatus(upstream, ref, inRegionOf(ref, request)),
    cancel: (ref, request) => cancelRequest(upstream, ref, inRegionOf(ref, request)),
  };
  return provider;
}

function inRegionOf(ref: ProviderRef, request: ProviderRequest): ProviderRequest {
  return { ...request, region: ref.region as RegionName };
}
