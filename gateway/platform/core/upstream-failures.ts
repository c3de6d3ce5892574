import type { ErrorCode } from "#contract/error.ts";

/** How requests and predictions end that fail by the upstream's fault. */
export const upstreamFailureCodes = [
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "upstream_outcome_unknown",
  "upstream_rate_limited",
  "service_unavailable",
] as const satisfies ErrorCode[];

const codes = new Set<string>(upstreamFailureCodes);

export function isUpstreamFailure(code: string): boolean {
  return codes.has(code);
}
