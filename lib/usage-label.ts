import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import type { Words } from "../messages/words.ts";
import { formatNumber } from "./format.ts";

/** `12 images`, `1 token`: what a run used. */
export function usageLabel(
  t: Words<"amounts">,
  { quantity: count, unit }: { quantity: number; unit: string },
): string {
  const amount = formatNumber(count, t.language);
  return isBillingUnit(unit)
    ? t(`${unit}Usage`, { count, amount })
    : t("otherUsage", { count, amount, unit });
}

function isBillingUnit(unit: string): unit is BillingUnit {
  return billingUnits.some((known) => known === unit);
}
