import { byName } from "#contract/by-name.ts";

const texts = byName<string>({
  failing: "Every attempt failed for too long.",
  gone: "The receiver answered 410 Gone to three attempts in a row.",
  stopped: "The receiver's answer stopped all deliveries.",
});

/** Why the gateway stopped sending to an endpoint. An unknown reason is shown unchanged. */
export function disabledReason(reason: string | null): string {
  if (reason === null) return "Every attempt failed for too long.";
  return texts[reason] ?? `Reason: ${reason}.`;
}
