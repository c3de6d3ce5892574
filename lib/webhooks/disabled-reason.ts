const words: Record<string, string> = {
  failing: "Nothing but failures for too long.",
};

/** Why the gateway stopped sending to an endpoint; a reason that nobody knows is told in its own words. */
export function disabledReason(reason: string | null): string {
  if (reason === null) return "Nothing but failures for too long.";
  return words[reason] ?? `Reason: ${reason}.`;
}
