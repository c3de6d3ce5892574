import type { BillingUnit } from "#contract/catalog.ts";
import type { CountedLine } from "#gateway/prices/price-lines.ts";

/** The quantity of one kind that a run used. */
export interface UsageLine extends CountedLine {
  /** What was counted and what may set its price: `input_token`, `second:720P`, `image:1024x1024:high`. */
  kind: string;
  unit: BillingUnit;
}
