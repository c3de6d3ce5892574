import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { numberOf, recordOf, textOf } from "../http/read-body.ts";
import { jobFailure } from "../http/refusal.ts";
import { type PollBudget, pollAfterMs } from "../jobs/poll.ts";
import { jobState } from "../jobs/states.ts";
import { outputsOf } from "../media/outputs.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";
import { imageRequest, imagesOf } from "./images.ts";
import { asJob, servicePaths } from "./service-paths.ts";
import { videoRequest } from "./videos.ts";

/** Submits a video or image job; returns its task id. */
export async function startTask(mapped: Mapped, request: ProviderRequest): Promise<{ taskId: string }> {
  const isVideo = request.operation.api_type === "video-generation";
  const json = isVideo ? await videoRequest(mapped, request) : await imageRequest(mapped, request);
  const path = mapped.path ?? (isVideo ? servicePaths.videoJob : servicePaths.imageJob);
  const answer = await mapped.upstream.json(request, { path, json, headers: asJob, wait: "job" });
  const taskId = textOf(recordOf(answer.output).task_id);
  if (taskId === null) throw lostJob();
  return { taskId };
}

export async function taskStatus(
  upstream: Upstream,
  budget: PollBudget,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const turnInMs = budget.take();
  if (turnInMs !== null) return { state: "running", pollAfterMs: turnInMs };
  const path = servicePaths.task(String(ref.taskId));
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const output = recordOf(answer.output);
  const state = jobState(output.task_status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt) };
    case "succeeded":
      return succeeded(answer, request);
    case "canceled":
      return { state };
    case "failed": {
      const fault = { code: textOf(output.code), message: textOf(output.message), param: null };
      const forgotten = String(output.task_status).toUpperCase() === "UNKNOWN" && fault.code === null;
      return { state, error: forgotten ? goneJob() : jobFailure(fault) };
    }
  }
}

/** `POST /tasks/{id}/cancel` works only while a task is queued. */
export async function cancelTask(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "too_late"> {
  try {
    const path = `${servicePaths.task(String(ref.taskId))}/cancel`;
    await upstream.json(request, { path, json: {}, wait: "job", gone: goneJob });
    return "canceled";
  } catch (error) {
    if (error instanceof ProviderError && error.code === "invalid_parameter") return "too_late";
    throw error;
  }
}

function succeeded(answer: Record<string, unknown>, request: ProviderRequest): ProviderStatus {
  const output = recordOf(answer.output);
  const results = recordOf(output.results);
  const isVideo = request.operation.api_type === "video-generation";
  const files = isVideo
    ? [output.video_url ?? output.output_video_url ?? results.video_url ?? output.results]
    : imagesOf(output);
  const usage = recordOf(answer.usage);
  const seconds =
    numberOf(usage.output_video_duration) ?? numberOf(usage.video_duration) ?? numberOf(usage.duration);
  const billed = request.operation.billing_unit === "second" && seconds !== null && seconds > 0;
  return {
    state: "succeeded",
    outputs: outputsOf(files, request),
    ...(billed && { usage: { unit: "second", quantity: Math.ceil(seconds) } }),
  };
}
