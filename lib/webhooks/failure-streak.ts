import type { Endpoint } from "#contract/webhook.ts";

/** Fewer failures in a row may be a single event that is still being retried. */
const worthWarning = 5;

/** How many attempts in a row an enabled endpoint has failed; null if that needs no warning. */
export function failureStreak({ status, health }: Pick<Endpoint, "status" | "health">): number | null {
  const failures = health?.consecutive_failures ?? 0;
  return status === "enabled" && failures >= worthWarning ? failures : null;
}
