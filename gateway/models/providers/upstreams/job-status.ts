import type { RegionName } from "#contract/catalog.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { outputsOf } from "../media/outputs.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";

/** The answers of finished jobs, for results that are text instead of files. */
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

/** The request with the region and key that started the job, which must also poll it. */
export function inRegionOf(ref: ProviderRef, request: ProviderRequest): ProviderRequest {
  const key = keyOf(ref);
  return { ...request, region: ref.region as RegionName, ...(key !== undefined && { key }) };
}

/** The name of the key that a job was started with, if there were several. */
export function keyOf(ref: ProviderRef): string | undefined {
  return typeof ref.key === "string" ? ref.key : undefined;
}
