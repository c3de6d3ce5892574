import type { RegionName } from "#contract/catalog.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { outputsOf } from "../media/outputs.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";

/** The answers of finished jobs, for results that are text and not files. */
const results = new WeakMap<ProviderStatus, unknown>();

/** The state of a finished job. Throws `upstream_invalid_response` if its operation needs a file and there is none. */
export function finishedJob(result: unknown, request: ProviderRequest): ProviderStatus {
  const isText = request.operation.api_type === "audio-transcription";
  const status: ProviderStatus = { state: "succeeded", outputs: isText ? [] : outputsOf(result, request) };
  results.set(status, result);
  return status;
}

export function resultOf(status: ProviderStatus): unknown {
  return results.get(status);
}

/** A job is polled in the region where it was started, with the key that started it. */
export function inRegionOf(ref: ProviderRef, request: ProviderRequest): ProviderRequest {
  const key = keyOf(ref);
  return { ...request, region: ref.region as RegionName, ...(key !== undefined && { key }) };
}

/** The name of the key that a job was started with, where there were several. */
export function keyOf(ref: ProviderRef): string | undefined {
  return typeof ref.key === "string" ? ref.key : undefined;
}
