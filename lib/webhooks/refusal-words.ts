/** Why one delivery could not be sent again. */
const refusals: Record<string, string> = {
  delivery_not_retryable: "Only failed and dead-letter deliveries can be sent again.",
  endpoint_disabled: "The endpoint is disabled. Enable it first.",
  endpoint_not_found: "The endpoint was deleted.",
  delivery_not_found: "There is no such delivery any more.",
  payload_purged: "The event's content was removed after its retention time.",
};

export function refusalText(code: string): string {
  return refusals[code] ?? code;
}
