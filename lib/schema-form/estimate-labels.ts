import { formatMoney } from "../money.ts";
import { perLabel } from "../rate-labels.ts";
import type { CostEstimate } from "./cost-estimate.ts";

/** The estimated cost of a run in a few words. */
export function estimateLabel(estimate: CostEstimate, currency: string): string {
  switch (estimate.state) {
    case "sandbox":
      return "sandbox: costs nothing";
    case "not_priced":
      return "not priced";
    case "unknown":
      return estimate.rates
        .filter(({ when }) => !when)
        .map((rate) => `${rate.rate} ${currency} ${perLabel(rate)}`)
        .join(", ");
    case "amount": {
      const amount = formatMoney(estimate.amount, currency);
      if (estimate.bound === "input") return `about ${amount} plus the answer`;
      return `${before[estimate.bound]}${amount}`;
    }
  }
}

const before = { exact: "", most: "at most ", about: "about " } as const;

/** The rates behind an estimate. */
export function estimateSource(estimate: CostEstimate, currency: string): string | undefined {
  if (!("rates" in estimate)) return undefined;
  return `From ${estimate.rates.map((rate) => `${rate.rate} ${currency} ${perLabel(rate)}`).join(", ")}`;
}
