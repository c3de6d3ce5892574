import type { BillingUnit } from "#contract/catalog.ts";

/** What one run used, in the billing unit of its operation. */
export interface Usage {
  unit: BillingUnit;
  quantity: number;
}
