import type { Context } from "#gateway/context.ts";
import { today, type UsageEntry } from "./meter.ts";

/** Meters what ran in a request: it is written soon, and counts for the budget of its key at once. */
export function meterOperation({ meter, budgets }: Context, entry: Omit<UsageEntry, "day">): void {
  meter.add({ ...entry, day: today() });
  budgets.add(entry);
}
