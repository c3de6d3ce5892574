import type { CostReason } from "#contract/money/constants.ts";
import type { Cost } from "#contract/money/cost.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Priced } from "./price-lines.ts";

/** The minimum number of decimals in a header. */
const headerDecimals = 6;

/** The stored form of the account's charge. */
export interface KeptCharge {
  charge: string | null;
  chargeReason: CostReason | null;
}

/** The account's charge for a run with usage. */
export function keptCharge({ charge, reason }: Priced): KeptCharge {
  return { charge: charge && decimalText(charge.amount), chargeReason: reason };
}

/** For a run that failed or was canceled before its upstream reported billed usage. */
export const nothingBilled: KeptCharge = { charge: "0", chargeReason: "nothing_billed" };

/**
 * A charge in the form of answers; null for anything that has not ended, is not a run, or ran in an earlier
 * release.
 */
export function costView({ charge, chargeReason }: KeptCharge, currency: string): Cost | null {
  if (charge === null && chargeReason === null) return null;
  return { amount: charge === null ? null : decimalText(decimalOf(charge)), currency, reason: chargeReason };
}

/** The account's charge for a run that has just ended. */
export function costOf({ charge, reason }: Priced, currency: string): Cost {
  return { amount: charge && decimalText(charge.amount), currency, reason };
}

/** `x-svc-cost`: `0.012300 USD`; null: not priced. */
export function costHeader({ charge }: Priced, currency: string): string | null {
  return charge && `${decimalText(charge.amount, headerDecimals)} ${currency}`;
}
