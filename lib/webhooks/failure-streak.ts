import type { Endpoint } from "#contract/webhook.ts";

/** Fewer failures in a row may belong to a single event that is still retried. */
const worthWarning = 5;

/** How many attempts in a row an enabled endpoint has failed. Null if that needs no warning. */
export function failureStreak({ status, health }: Pick<Endpoint, "status" | "health">): number | null {
  const failures = health?.consecutive_failures ?? 0;
  return status === "enabled" && failures >= worthWarning ? failures : null;
}
