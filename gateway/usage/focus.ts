import { monthOf } from "./month.ts";

/** One sum of a day, with what is paid for it. */
export interface FocusRow {
  accountId: string;
  accountName: string;
  day: string;
  model: string;
  provider: string;
  region: string;
  kind: string;
  unit: string;
  priceId: string;
  batchId: string;
  keyId: string;
  keyName: string | null;
  quantity: number;
  amount: string;
  currency: string;
}

const dayMs = 86_400_000;

/** The columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification; Gatehouse's own begin with `x_`. */
const columns: readonly (readonly [string, (row: FocusRow) => string])[] = [
  ["BilledCost", ({ amount }) => amount],
  ["BillingAccountId", ({ accountId }) => accountId],
  ["BillingAccountName", ({ accountName }) => accountName],
  ["BillingAccountType", () => "Account"],
  ["BillingCurrency", ({ currency }) => currency],
  ["BillingPeriodEnd", ({ day }) => monthOf(Date.parse(day)).endsAt.toISOString()],
  ["BillingPeriodStart", ({ day }) => monthOf(Date.parse(day)).startsAt.toISOString()],
  ["ChargeCategory", () => "Usage"],
  ["ChargeClass", () => ""],
  ["ChargeDescription", ({ kind, model }) => `${kind} of ${model}`],
  ["ChargeFrequency", () => "Usage-Based"],
  ["ChargePeriodEnd", ({ day }) => new Date(Date.parse(day) + dayMs).toISOString()],
  ["ChargePeriodStart", ({ day }) => new Date(day).toISOString()],
  ["ConsumedQuantity", ({ quantity }) => String(quantity)],
  ["ConsumedUnit", ({ unit }) => unit],
  ["ContractedCost", ({ amount }) => amount],
  ["EffectiveCost", ({ amount }) => amount],
  ["InvoiceIssuerName", () => "Gatehouse"],
  ["ListCost", ({ amount }) => amount],
  ["PricingQuantity", ({ quantity }) => String(quantity)],
  ["PricingUnit", ({ unit }) => unit],
  ["ProviderName", ({ provider }) => provider || "Gatehouse"],
  ["PublisherName", ({ provider }) => provider || "Gatehouse"],
  ["RegionId", ({ region }) => region],
  ["ResourceId", ({ model }) => model],
  ["ServiceCategory", () => "AI and Machine Learning"],
  ["ServiceName", ({ model }) => model],
  ["SkuId", ({ model, kind }) => `${model}/${kind}`],
  ["SkuPriceId", ({ priceId }) => priceId],
  ["SubAccountId", ({ keyId }) => keyId],
  ["SubAccountName", ({ keyName }) => keyName ?? ""],
  ["x_BatchId", ({ batchId }) => batchId],
];

export const focusColumns: readonly string[] = columns.map(([name]) => name);

export function focusCells(row: FocusRow): string[] {
  return columns.map(([, cellOf]) => cellOf(row));
}
