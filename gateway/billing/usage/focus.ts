import { regionTitle } from "#contract/catalog-constants.ts";
import { decimalOf, divideRounded, quantityOf } from "#contract/money/decimal.ts";
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
  /** A key, or a person who was signed in, with their name; null: it is gone. */
  keyId: string;
  payerName: string | null;
  quantity: number;
  amount: string;
  currency: string;
}

const dayMs = 86_400_000;

/** Units as FOCUS writes them; of others the first letter is made large. */
const unitNames = new Map([
  ["token", "Tokens"],
  ["character", "Characters"],
  ["second", "Seconds"],
  ["generation", "Images"],
  ["operation", "Operations"],
  ["request", "Requests"],
  ["input_image", "Images"],
]);

/** The columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification; Gatehouse's own begin with `x_`. */
const columns: readonly (readonly [string, (row: FocusRow) => string])[] = [
  ["BilledCost", ({ amount }) => amount],
  ["BillingAccountId", ({ accountId }) => accountId],
  ["BillingAccountName", ({ accountName }) => accountName],
  ["BillingAccountType", () => "Account"],
  ["BillingCurrency", ({ currency }) => currency],
  ["BillingPeriodEnd", ({ day }) => timeText(monthOf(Date.parse(day)).endsAt)],
  ["BillingPeriodStart", ({ day }) => timeText(monthOf(Date.parse(day)).startsAt)],
  ["ChargeCategory", () => "Usage"],
  ["ChargeClass", () => ""],
  ["ChargeDescription", ({ kind, model }) => `${kind} of ${model}`],
  ["ChargeFrequency", () => "Usage-Based"],
  ["ChargePeriodEnd", ({ day }) => timeText(new Date(Date.parse(day) + dayMs))],
  ["ChargePeriodStart", ({ day }) => timeText(new Date(day))],
  ["ConsumedQuantity", ({ quantity }) => String(quantity)],
  ["ConsumedUnit", unitOf],
  ["ContractedCost", ({ amount }) => amount],
  ["ContractedUnitPrice", unitPrice],
  ["EffectiveCost", ({ amount }) => amount],
  ["InvoiceIssuerName", () => "Gatehouse"],
  ["ListCost", ({ amount }) => amount],
  ["ListUnitPrice", unitPrice],
  ["PricingCategory", () => "Standard"],
  ["PricingQuantity", ({ quantity }) => String(quantity)],
  ["PricingUnit", unitOf],
  ["ProviderName", ({ provider }) => provider || "Gatehouse"],
  ["PublisherName", ({ provider }) => provider || "Gatehouse"],
  ["RegionId", ({ region }) => region],
  ["RegionName", ({ region }) => regionTitle(region)],
  ["ResourceId", ({ model }) => model],
  ["ResourceName", ({ model }) => model],
  ["ResourceType", () => "Model"],
  ["ServiceCategory", () => "AI and Machine Learning"],
  ["ServiceName", ({ model }) => model],
  ["SkuId", skuOf],
  ["SkuMeter", ({ kind }) => kind],
  // A price has a rate for each kind, and here a SKU is one of them.
  ["SkuPriceId", (row) => (row.priceId ? `${row.priceId}/${skuOf(row)}` : "")],
  ["SubAccountId", ({ keyId }) => keyId],
  ["SubAccountName", ({ keyId, payerName }) => payerName ?? keyId],
  ["SubAccountType", ({ keyId }) => (keyId === "" ? "" : keyId.startsWith("key_") ? "Key" : "Member")],
  ["x_BatchId", ({ batchId }) => batchId],
];

function skuOf({ model, kind }: FocusRow): string {
  return `${model}/${kind}`;
}

function unitOf({ unit }: FocusRow): string {
  return unitNames.get(unit) ?? `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}`;
}

/** `2026-11-20T00:00:00Z`: FOCUS has no parts of a second. */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Rates have twelve decimals, and up to a billion of a unit. */
const priceDecimals = 24;

/** What one unit cost on average: within a day the rate may depend on the run, as for long contexts. */
function unitPrice({ amount, quantity }: FocusRow): string {
  const divisor = quantityOf(quantity);
  if (divisor <= 0n) return "";
  const price = divideRounded(decimalOf(amount) * 10n ** BigInt(priceDecimals), divisor);
  const digits = price
    .toString()
    .replace("-", "")
    .padStart(priceDecimals + 1, "0");
  const decimals = digits.slice(-priceDecimals).replace(/0+$/, "");
  const whole = `${price < 0n ? "-" : ""}${digits.slice(0, -priceDecimals)}`;
  return decimals === "" ? whole : `${whole}.${decimals}`;
}

export const focusColumns: readonly string[] = columns.map(([name]) => name);

export function focusCells(row: FocusRow): string[] {
  return columns.map(([, cellOf]) => cellOf(row));
}
