import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { parsed, recordOf, textOf } from "../http/read-body.ts";
import { jobFailure } from "../http/refusal.ts";
import { finishedJob, jobState, pollAfterMs } from "../jobs.ts";

import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import { goneJob, lostJob, type Upstream, type UpstreamCall } from "../upstreams/upstream.ts";
import { readFalFault } from "./fault.ts";

const firstPollMs = 1_000;
/** How long fal keeps a result: the same time as the gateway itself. */
const keptSeconds = 86_400;

interface Links {
  statusUrl: string;
  responseUrl: string;
  cancelUrl: string;
}

/**
 * Submits a request to a model's queue. Uses the URLs of the answer unchanged; fal's documentation forbids
 * building them.
 */
export async function submit(
  mapped: Mapped,
  request: ProviderRequest,
): Promise<Links & { upstreamId: string }> {
  const { upstream, model } = mapped;
  const json = upstreamFields(await inputWithMedia(request, mapped.media), mapped.fields);
  const answer = await upstream.json(request, {
    path: `/${model}`,
    json,
    headers: {
      // Turns off fal's own retries, because the gateway decides about retries.
      "x-fal-no-retry": "1",
      "x-fal-object-lifecycle-preference": JSON.stringify({ expiration_duration_seconds: keptSeconds }),
    },
    wait: "job",
  });
  const upstreamId = textOf(answer.request_id);
  const [statusUrl, responseUrl, cancelUrl] = [answer.status_url, answer.response_url, answer.cancel_url].map(
    textOf,
  );
  if (!upstreamId || !statusUrl || !responseUrl || !cancelUrl) throw lostJob();
  // Later requests to these URLs carry the key, so the URLs must belong to this provider.
  if (![statusUrl, responseUrl, cancelUrl].every((url) => upstream.owns(request.region, url)))
    throw new ProviderError("upstream_invalid_response", "The provider's job URL is on another host.", {
      started: "yes",
    });
  return { upstreamId, statusUrl, responseUrl, cancelUrl };
}

export async function queueStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const call = { method: "GET", wait: "job", gone: goneJob } as const;
  const answer = await upstream.json(request, { ...call, path: String(ref.statusUrl) });
  const state = jobState(answer.status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt, firstPollMs) };
    case "canceled":
      return { state };
    case "failed":
      return { state, error: jobFailure(faultOf(answer)) };
    case "succeeded":
      // fal's "completed" only means that the request has ended, not that it succeeded.
      return textOf(answer.error) === null
        ? result(upstream, ref, request)
        : { state: "failed", error: jobFailure(faultOf(answer)) };
  }
}

export async function cancelRequest(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "requested" | "too_late"> {
  try {
    const call = { method: "PUT", path: String(ref.cancelUrl), wait: "job", gone: goneJob } as const;
    const answer = await upstream.json(request, call);
    return String(answer.status).toUpperCase() === "CANCELLATION_REQUESTED" ? "requested" : "canceled";
  } catch (error) {
    if (error instanceof ProviderError && error.code === "invalid_parameter") return "too_late";
    throw error;
  }
}

/** The model's result. A rejection or failure by the model appears only now, as the status of this answer. */
async function result(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const failure: UpstreamCall["failure"] = (status, fault, headers) =>
    headers["x-fal-error-type"] !== undefined || status === 400 || status === 422
      ? jobFailure(status === 422 ? { ...fault, code: `invalid_input ${fault.code ?? ""}` } : fault)
      : null;
  const call = { method: "GET", path: String(ref.responseUrl), wait: "job", gone: goneJob, failure } as const;
  return finishedJob(await upstream.json(request, call), request);
}

function faultOf(answer: Record<string, unknown>) {
  const nested = parsed(String(answer.error));
  const fault = readFalFault(JSON.stringify(recordOf(nested)));
  return {
    code: textOf(answer.error_type) ?? fault.code,
    message: fault.message ?? textOf(answer.error),
    param: fault.param,
  };
}
