import type { BillingUnit } from "#contract/catalog.ts";
import type { CountedLine } from "#gateway/billing/prices/price-lines.ts";

/** A run's usage of one kind. */
export interface UsageLine extends CountedLine {
  /**
   * The counted unit and everything that may set its price: `input_token`, `second:720P`,
   * `image:1024x1024:high`.
   */
  kind: string;
  /** Extras have their own units, which quantity budgets do not count. */
  unit: BillingUnit | ExtraUnit;
}

/**
 * The unit of tokens that a failed attempt used: the operator pays for them; the account neither pays for
 * them nor sees them.
 */
export const failedUnit = "failed_token";
/**
 * Usage besides the billing unit, counted if the price has a rate for it. The lines' kinds have the same
 * names.
 */
export const extraUnits = ["request", "input_image", failedUnit] as const;
export type ExtraUnit = (typeof extraUnits)[number];
