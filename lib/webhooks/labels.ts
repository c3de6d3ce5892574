import { byName } from "#contract/by-name.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { deliveryErrorLabels, isDeliveryError } from "#contract/webhook-constants.ts";
import { cutInMiddle } from "../format.ts";

/**
 * The short name of an attempt's error. An unknown code is shown unchanged. The page of a delivery shows how
 * to fix each error.
 */
export function errorLabel(code: string): string {
  return isDeliveryError(code) ? deliveryErrorLabels[code] : code;
}

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

/** Why the gateway stopped sending to an endpoint. An unknown reason is shown unchanged. */
export function disabledReason(reason: string | null): string {
  if (reason === null) return "Every attempt failed for too long.";
  return disabledReasons[reason] ?? `Reason: ${reason}.`;
}

/** Fewer failures in a row may belong to a single event that is still retried. */
const worthWarning = 5;

/** How many attempts in a row an enabled endpoint has failed. Null if that needs no warning. */
export function failureStreak({ status, health }: Pick<Endpoint, "status" | "health">): number | null {
  const failures = health?.consecutive_failures ?? 0;
  return status === "enabled" && failures >= worthWarning ? failures : null;
}

/** Shown instead of an endpoint's name when the request itself named the receiver. */
export const callbackLabel = "Address of the request";

/** An endpoint's URL as host and path, without scheme and query. An invalid URL is returned unchanged. */
export function endpointAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`;
}

/** The address for a table row. A long address is shortened in the middle, as by `cutInMiddle`. */
export function shortAddress(url: string, length: number): { text: string; isCut: boolean } {
  const address = endpointAddress(url);
  const text = cutInMiddle(address, length);
  return { text, isCut: text !== address };
}
