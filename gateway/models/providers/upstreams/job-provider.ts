import type { ApiType } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider, ProviderRequest, ProviderStatus } from "../provider.ts";
import { inRegionOf, resultOf } from "./job-status.ts";
import { supportsKind, unsupported } from "./kinds.ts";
import type { Mapped } from "./mapped.ts";
import type { OutputFetch } from "./output-fetch.ts";
import { runJobOperation } from "./run-job-operation.ts";
import type { Upstream } from "./upstream.ts";

/** The operation kinds of an upstream that has only jobs and therefore cannot stream a chat. */
export const jobKinds = [
  "text-to-speech",
  "audio-transcription",
  "image-generation",
  "image-editing",
  "video-generation",
] as const satisfies ApiType[];

/** The calls of an upstream that runs all operations as jobs. Each call goes to its request's region. */
interface Jobs {
  /** Submits a job; returns the fields of its reference. */
  start(mapped: Mapped, request: ProviderRequest): Promise<object>;
  status(upstream: Upstream, ref: ProviderRef, request: ProviderRequest): Promise<ProviderStatus>;
  cancel(upstream: Upstream, ref: ProviderRef, request: ProviderRequest): ReturnType<Provider["cancel"]>;
}

const firstPollMs = 1_000;

/** The `open` of a protocol whose operations are all jobs; sync operations poll their job to its end. */
export function openJobs(name: string, jobs: Jobs): Protocol["open"] {
  return ({ fetchOutput }) =>
    (mapped) =>
      createJobProvider(name, jobs, mapped, fetchOutput);
}

function createJobProvider(name: string, jobs: Jobs, mapped: Mapped, fetchOutput: OutputFetch): Provider {
  const { upstream } = mapped;
  const provider: Provider = {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    supports: supportsKind(jobKinds, name),
    execute: (request) =>
      runJobOperation(provider, request, { runMs: upstream.settings.timeouts.runMs, fetchOutput, resultOf }),
    // biome-ignore lint/correctness/useYield: it refuses before the first chunk
    async *stream(request) {
      throw unsupported(request);
    },
    async start(request) {
      const ref = { provider: upstream.name, region: request.region, startedAt: clock.now() };
      return { ref: { ...ref, ...(await jobs.start(mapped, request)) }, pollAfterMs: firstPollMs };
    },
    status: (ref, request) => jobs.status(upstream, ref, inRegionOf(ref, request)),
    cancel: (ref, request) => jobs.cancel(upstream, ref, inRegionOf(ref, request)),
  };
  return provider;
}
