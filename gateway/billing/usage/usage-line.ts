import type { BillingUnit } from "#contract/catalog.ts";
import type { CountedLine } from "#gateway/billing/prices/price-lines.ts";

/** The quantity of one kind that a run used. */
export interface UsageLine extends CountedLine {
  /** What was counted and what may set its price: `input_token`, `second:720P`, `image:1024x1024:high`. */
  kind: string;
  /** An extra has a unit of its own, which no budget in quantities counts. */
  unit: BillingUnit | ExtraUnit;
}

/** The unit of tokens that a failed try used: its operator pays for them, and its account does not and never sees them. */
export const failedUnit = "failed_token";
/** What a run has beside what it is billed by, where its price has a rate for it. Their lines have these kinds, too. */
export const extraUnits = ["request", "input_image", failedUnit] as const;
export type ExtraUnit = (typeof extraUnits)[number];
