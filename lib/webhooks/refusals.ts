import { byName } from "#contract/by-name.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { failuresUntilReported } from "#contract/webhook-constants.ts";

/** Why one delivery could not be retried. */
const refusals = byName<string>({
  delivery_not_retryable: "Only failed and dead-letter deliveries can be retried.",
  endpoint_disabled: "The endpoint is disabled. Enable it first.",
  endpoint_not_found: "The endpoint was deleted.",
  delivery_not_found: "The delivery no longer exists.",
  payload_purged: "The event's content was removed after its retention time.",
});

export function refusalText(code: string): string {
  return refusals[code] ?? code;
}

const disabledReasons = byName<string>({
  failing: "Every attempt failed for too long.",
  gone: "The receiver answered 410 Gone to three attempts in a row.",
  stopped: "The receiver's answer stopped all deliveries.",
});

/** Why the gateway stopped sending to an endpoint. An unknown reason is shown unchanged; null means `failing`. */
export function disabledReason(reason: string | null): string {
  return disabledReasons[reason ?? "failing"] ?? `Reason: ${reason}.`;
}

/** How many attempts in a row an enabled endpoint has failed. Null if it does not count as failing. */
export function failureStreak({ status, health }: Pick<Endpoint, "status" | "health">): number | null {
  const failures = health?.consecutive_failures ?? 0;
  return status === "enabled" && failures >= failuresUntilReported ? failures : null;
}
