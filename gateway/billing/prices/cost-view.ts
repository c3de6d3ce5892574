import type { CostReason } from "#contract/money/constants.ts";
import type { Cost } from "#contract/money/cost.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Priced } from "./price-lines.ts";

/** What a header shows at least. */
const headerDecimals = 6;

/** What the account pays, as rows keep it. */
export interface KeptCharge {
  charge: string | null;
  chargeReason: CostReason | null;
}

/** What the account pays for a run that used something. */
export function keptCharge({ charge, reason }: Priced): KeptCharge {
  return { charge: charge && decimalText(charge.amount), chargeReason: reason };
}

/** Of a run that failed or was canceled before its upstream said that it billed anything. */
export const nothingBilled: KeptCharge = { charge: "0", chargeReason: "nothing_billed" };

/** As answers show it; null for what has not ended, is no run, or ran in an earlier release. */
export function costView({ charge, chargeReason }: KeptCharge, currency: string): Cost | null {
  if (charge === null && chargeReason === null) return null;
  return { amount: charge === null ? null : decimalText(decimalOf(charge)), currency, reason: chargeReason };
}

/** What the account pays for a run that has just ended. */
export function costOf({ charge, reason }: Priced, currency: string): Cost {
  return { amount: charge && decimalText(charge.amount), currency, reason };
}

/** `x-svc-cost`: `0.012300 USD`; null: not priced. */
export function costHeader({ charge }: Priced, currency: string): string | null {
  return charge && `${decimalText(charge.amount, headerDecimals)} ${currency}`;
}
