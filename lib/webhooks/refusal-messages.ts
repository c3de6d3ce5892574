import { byName } from "#contract/by-name.ts";

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
