import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Provider, ProviderRequest, ProviderStatus } from "../provider.ts";

const waitMs = { first: 250, max: 3_000, factor: 1.5 } as const;
const cancelMs = 5_000;

type Jobs = Pick<Provider, "start" | "status" | "cancel">;
type Finished = Extract<ProviderStatus, { state: "succeeded" }>;

/**
 * Runs a sync operation on an upstream that only has jobs: starts a job and polls until it is done. If the
 * caller disconnects or `runMs` passes, the job is canceled, so that no unread result is paid for.
 */
export async function runToEnd(jobs: Jobs, request: ProviderRequest, runMs: number): Promise<Finished> {
  const { ref } = await jobs.start(request);
  const endsAt = Date.now() + runMs;
  try {
    for (
      let wait: number = waitMs.first;
      Date.now() < endsAt;
      wait = Math.min(waitMs.max, wait * waitMs.factor)
    ) {
      await sleep(wait, undefined, { signal: request.signal });
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
  jobs: Jobs,
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

async function cancel(jobs: Jobs, ref: ProviderRef, request: ProviderRequest): Promise<void> {
  await jobs
    .cancel(ref, { ...request, signal: AbortSignal.timeout(cancelMs) })
    .catch((error) => request.log.warn({ err: error }, "canceling a run at the provider failed"));
}
