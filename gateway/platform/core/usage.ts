import type { BillingUnit } from "#contract/catalog.ts";

/** The usage of one run, in the billing unit of its operation. */
export interface Usage {
  unit: BillingUnit;
  quantity: number;
}
