import { byName } from "#contract/by-name.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { failuresUntilReported } from "#contract/webhook-constants.ts";
import type { Words } from "../../messages/words.ts";

/** Why one delivery could not be retried. Null: the code has no words here. */
export function refusalText(t: Words<"webhooks">, code: string): string | null {
  return t.has(code) ? t.text(code) : null;
}

const disabledReasons = byName({
  failing: "disabledFailing",
  gone: "disabledGone",
  stopped: "disabledStopped",
} as const);

/** Why the gateway stopped sending to an endpoint. An unknown reason is shown unchanged; null means `failing`. */
export function disabledReason(t: Words<"webhooks">, reason: string | null): string {
  const known = disabledReasons[reason ?? "failing"];
  return known ? t(known) : t("disabledBecause", { reason: reason ?? "" });
}

/** How many attempts in a row an enabled endpoint has failed. Null if it does not count as failing. */
export function failureStreak({ status, health }: Pick<Endpoint, "status" | "health">): number | null {
  const failures = health?.consecutive_failures ?? 0;
  return status === "enabled" && failures >= failuresUntilReported ? failures : null;
}
