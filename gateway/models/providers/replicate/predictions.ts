import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { recordOf, textOf } from "../http/read-body.ts";
import { jobFailure } from "../http/refusal.ts";
import { finishedJob, jobState, pollAfterMs } from "../jobs.ts";

import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";

const firstPollMs = 1_000;

/**
 * Creates a prediction of a model (`owner/name`) or of one version (`owner/name:version`). Never waits for
 * it.
 */
export async function createPrediction(
  mapped: Mapped,
  request: ProviderRequest,
): Promise<{ upstreamId: string }> {
  const input = upstreamFields(await inputWithMedia(request, mapped.media), mapped.fields);
  const [model = "", version] = mapped.model.split(":");
  const call = version
    ? { path: "/predictions", json: { version, input } }
    : { path: `/models/${model}/predictions`, json: { input } };
  const answer = await mapped.upstream.json(request, { ...call, wait: "job" });
  const upstreamId = textOf(answer.id);
  if (upstreamId === null) throw lostJob();
  return { upstreamId };
}

export async function predictionStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const path = predictionPath(ref);
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const state = jobState(answer.status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt, firstPollMs) };
    case "succeeded":
      return finishedJob(answer.output, request);
    case "canceled":
      return { state };
    case "failed": {
      const aborted = answer.status === "aborted" ? "timeout" : null;
      const message = textOf(answer.error) ?? textOf(recordOf(answer.error).detail);
      return { state, error: jobFailure({ code: aborted, message, param: null }) };
    }
  }
}

export async function cancelPrediction(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "too_late"> {
  try {
    const path = `${predictionPath(ref)}/cancel`;
    await upstream.json(request, { path, json: {}, wait: "job", gone: goneJob });
    return "canceled";
  } catch (error) {
    if (error instanceof ProviderError && error.code === "invalid_parameter") return "too_late";
    throw error;
  }
}

function predictionPath(ref: ProviderRef): string {
  return `/predictions/${encodeURIComponent(String(ref.upstreamId))}`;
}
