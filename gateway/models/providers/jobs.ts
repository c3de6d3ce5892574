import { setTimeout as sleep } from "node:timers/promises";
import { byName } from "#contract/by-name.ts";
import type { ApiType, RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError, type ProviderRef } from "#gateway/platform/core/provider-error.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { invalidAnswer, maxBytes, numberOf, readBytes, recordOf, textOf } from "./http/read-body.ts";
import { outputsOf, segmentsOf, transcription, wavOf } from "./media/outputs.ts";
import { type Mapped, type OutputFetch, type Protocol, supportsKind, unsupported } from "./protocol.ts";
import type { Provider, ProviderRequest, ProviderStatus, SyncResult } from "./provider.ts";
import { goneJob, type Upstream, type UpstreamCall } from "./upstreams/upstream.ts";

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

/** The answers of finished jobs, for results that are text instead of files. */
const results = new WeakMap<ProviderStatus, unknown>();

function createJobProvider(name: string, jobs: Jobs, mapped: Mapped, fetchOutput: OutputFetch): Provider {
  const { upstream } = mapped;
  const provider: Provider = {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    supports: supportsKind(jobKinds, name),
    execute: (request) => runJobOperation(provider, request, upstream.settings.timeouts.runMs, fetchOutput),
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

const pollAgain: RetrySchedule = { firstMs: 250, factor: 1.5, maxMs: 3_000 };

type Finished = Extract<ProviderStatus, { state: "succeeded" }>;

/** The calls that a run needs. The provider has already chosen the upstream. */
type RunCalls = Pick<Provider, "start" | "status" | "cancel">;

/** Runs a sync operation on an upstream that only has jobs, and converts its result to the operation's output. */
async function runJobOperation(
  jobs: RunCalls,
  request: ProviderRequest,
  runMs: number,
  fetchOutput: OutputFetch,
): Promise<SyncResult> {
  const kind = request.operation.api_type;
  const isImage = kind === "image-generation" || kind === "image-editing";
  if (!isImage && kind !== "text-to-speech" && kind !== "audio-transcription") throw unsupported(request);
  const done = await runToEnd(jobs, request, runMs);
  if (kind === "audio-transcription") return transcriptionOf(results.get(done), request);
  const { outputs } = done;
  if (isImage) return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
  const [audio] = outputs;
  const bytes =
    audio && "url" in audio
      ? await readBytes(
          await fetchOutput(audio.url, request.signal, maxBytes.media),
          maxBytes.media,
          request.signal,
        )
      : audio && "bytes" in audio
        ? audio.bytes
        : Buffer.alloc(0);
  const quantity = [...String(request.input.input)].length;
  return { kind: "speech", audio: wavOf(bytes), usage: { unit: "character", quantity } };
}

/**
 * Runs a sync operation on an upstream that only has jobs: starts a job and polls until it is done. If the
 * caller disconnects or `runMs` passes, the job is canceled, so that no unread result is paid for.
 */
export async function runToEnd(jobs: RunCalls, request: ProviderRequest, runMs: number): Promise<Finished> {
  const { ref } = await jobs.start(request);
  const endsAt = performance.now() + runMs;
  try {
    for (let polls = 1; performance.now() < endsAt; polls += 1) {
      await sleep(retryWaitMs(pollAgain, polls), undefined, { signal: request.signal });
      const status = await askOnce(jobs, ref, request);
      if (status?.state === "succeeded") return status;
      if (status?.state === "failed") throw status.error;
      if (status?.state === "canceled")
        throw new ProviderError("upstream_error", "The provider canceled the run.", { started: "yes" });
    }
  } catch (error) {
    if (request.signal.aborted) await cancel(jobs, ref, request);
    throw error;
  }
  await cancel(jobs, ref, request);
  throw new ProviderError("upstream_timeout", "The provider did not finish in time.", { started: "yes" });
}

/** Polls once. Null after a temporary failure: the job continues, so the caller polls again later. */
async function askOnce(
  jobs: RunCalls,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus | null> {
  try {
    return await jobs.status(ref, request);
  } catch (error) {
    if (request.signal.aborted || !(error instanceof ProviderError) || error.final) throw error;
    request.log.warn({ err: error }, "polling a provider's job failed, will retry");
    return null;
  }
}

/** The upstream's answer to this request to cancel a job; null if it refuses, because the job has ended. */
export async function cancelJob(
  upstream: Upstream,
  request: ProviderRequest,
  call: Pick<UpstreamCall, "method" | "path" | "json">,
): Promise<Record<string, unknown> | null> {
  try {
    return await upstream.json(request, { ...call, wait: "job", gone: goneJob });
  } catch (error) {
    if (error instanceof ProviderError && error.code === "invalid_parameter") return null;
    throw error;
  }
}

const cancelMs = 5_000;

async function cancel(jobs: RunCalls, ref: ProviderRef, request: ProviderRequest): Promise<void> {
  await jobs
    .cancel(ref, { ...request, signal: AbortSignal.timeout(cancelMs) })
    .catch((error) => request.log.warn({ err: error }, "canceling a run at the provider failed"));
}

function transcriptionOf(result: unknown, request: ProviderRequest): Promise<SyncResult> {
  const said = recordOf(result);
  const text = typeof result === "string" ? result : (said.text ?? said.transcription);
  if (typeof text !== "string") throw invalidAnswer("The provider's transcription has no text.");
  const language = textOf(said.language) ?? textOf(said.detected_language);
  return transcription(request, text, numberOf(said.duration)).then((answer) => ({
    ...answer,
    ...(language !== null && { language }),
    ...segmentsOf(said),
  }));
}

/** The request with the region and key that started the job, which must also poll it. */
export function inRegionOf(ref: ProviderRef, request: ProviderRequest): ProviderRequest {
  const key = keyOf(ref);
  return { ...request, region: ref.region as RegionName, ...(key !== undefined && { key }) };
}

/** The name of the key that a job was started with, if there were several. */
export function keyOf(ref: ProviderRef): string | undefined {
  return typeof ref.key === "string" ? ref.key : undefined;
}

/** The state of a finished job. Throws `upstream_invalid_response` if its operation needs a file and there is none. */
export function finishedJob(result: unknown, request: ProviderRequest): ProviderStatus {
  const isText = request.operation.api_type === "audio-transcription";
  const status: ProviderStatus = { state: "succeeded", outputs: isText ? [] : outputsOf(result, request) };
  results.set(status, result);
  return status;
}

/** A job is polled often in its first seconds, then at growing intervals. */
const pollMs = { min: 2_000, max: 15_000, agePart: 10 } as const;

/** When to poll a job again that started at `startedAt` (ms since the epoch). */
export function pollAfterMs(startedAt: unknown, minMs: number = pollMs.min): number {
  const ageMs = typeof startedAt === "number" ? clock.now() - startedAt : 0;
  return Math.min(pollMs.max, Math.max(minMs, ageMs / pollMs.agePart));
}

/**
 * Limits one account's polls per second, shared by all its jobs in this process. A job that gets no turn is
 * polled later, at a random moment.
 */
export class PollBudget {
  private readonly perSecond: number;
  private readonly now: () => number;
  private tokens: number;
  private at: number;

  constructor(perSecond: number, now: () => number = Date.now) {
    this.perSecond = perSecond;
    this.now = now;
    this.tokens = perSecond;
    this.at = now();
  }

  /** Null when the job may be polled now, otherwise the milliseconds to wait. */
  take(): number | null {
    const now = this.now();
    const burst = Math.max(1, this.perSecond);
    this.tokens = Math.min(burst, this.tokens + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return null;
    }
    return Math.ceil(((1 - this.tokens) / this.perSecond) * 1000 + Math.random() * 1000);
  }
}

type JobState = "queued" | "running" | "succeeded" | "failed" | "canceled";

/** All words that upstreams use for a job's state. */
const words = byName<JobState>({
  queued: "queued",
  pending: "queued",
  starting: "queued",
  in_queue: "queued",
  submitted: "queued",
  suspended: "queued",
  running: "running",
  processing: "running",
  in_progress: "running",
  succeeded: "succeeded",
  success: "succeeded",
  successful: "succeeded",
  completed: "succeeded",
  complete: "succeeded",
  done: "succeeded",
  finished: "succeeded",
  failed: "failed",
  failure: "failed",
  error: "failed",
  aborted: "failed",
  expired: "failed",
  timeout: "failed",
  unknown: "failed",
  canceled: "canceled",
  cancelled: "canceled",
});

/**
 * An unknown word counts as running: a wrong guess could end a job that still runs, and the deadline ends it
 * anyway.
 */
export function jobState(word: unknown): JobState {
  return words[String(word).toLowerCase()] ?? "running";
}
