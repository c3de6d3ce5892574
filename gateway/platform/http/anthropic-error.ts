import type { Static } from "typebox";
import { byName } from "#contract/by-name.ts";
import type { ErrorBody } from "#contract/error.ts";
import type { MessageError } from "#contract/messages.ts";

/**
 * Maps the gateway's error types to Anthropic's. Conflicts and deleted resources count as invalid requests
 * there.
 */
const types = byName<string>({
  invalid_request_error: "invalid_request_error",
  authentication_error: "authentication_error",
  permission_error: "permission_error",
  not_found_error: "not_found_error",
  billing_error: "billing_error",
  rate_limit_error: "rate_limit_error",
  conflict_error: "invalid_request_error",
  gone_error: "invalid_request_error",
  idempotency_error: "invalid_request_error",
  content_policy_error: "invalid_request_error",
});
const byStatus: Record<number, string> = { 413: "request_too_large", 503: "overloaded_error" };

/** An error in Anthropic's format, with the gateway's own code added. */
export function anthropicError(
  { type, request_id, second_factor: _, ...error }: ErrorBody["error"],
  status?: number,
): Static<typeof MessageError> {
  const named = (status !== undefined && byStatus[status]) || types[type] || "api_error";
  return { type: "error", error: { type: named, ...error }, request_id };
}
