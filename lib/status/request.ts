import type { RequestRow } from "#contract/usage.ts";

/** nginx's status for a client that disconnected. */
const clientLeft = 499;

/** The outcome of a request in the words of a prediction's status. */
export function requestOutcome({
  status,
  code,
}: Pick<RequestRow, "status" | "code">): "succeeded" | "failed" | "canceled" {
  if (status === clientLeft) return "canceled";
  return status >= 400 || code !== null ? "failed" : "succeeded";
}
