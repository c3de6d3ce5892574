import { regionTitle } from "#contract/catalog-constants.ts";
import { decimalOf, divideRounded, quantityOf } from "#contract/money/decimal.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { writeLine } from "#gateway/platform/core/formula-text.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys, usageSums as sums, users } from "#gateway/platform/database/schema.ts";
import { csvHeader } from "#gateway/platform/http/csv-file.ts";
import { monthOf } from "../budgets/state.ts";
import { failedUnit } from "./lines.ts";
import { exact, type SumsWanted, sumsOf, whereOf } from "./sums.ts";

/** The names of the files, without their ending. */
export const usageFileNames = { csv: "usage", focus: "usage-focus" } as const;

/** The most rows in memory at any time. */
const rowsAtOnce = 2_000;

interface UsageFile extends SumsWanted {
  format: "csv" | "focus";
  /** True if the rows include the operator's cost, which callers must never see. */
  ofOperator: boolean;
}

type SumsLine = typeof sums.$inferSelect & {
  accountName: string;
  keyName: string | null;
  userName: string | null;
};

/** The sums of each day as a table, written while they are read. */
export async function* usageFile(
  { config, database }: BillingContext,
  file: UsageFile,
): AsyncGenerator<Buffer> {
  const isFocus = file.format === "focus";
  const columns = isFocus ? focusColumns : csvColumns(file.ofOperator);
  yield csvHeader(columns);
  const pause = yieldToEventLoop();
  for await (const page of pagesOf(database.queries, file)) {
    await pause();
    const rows = page.flatMap((row) => {
      if (!isFocus) return [writeLine(csvCells(row, config.currency, file.ofOperator))];
      const focus = focusRow(row, config.currency, file.ofOperator);
      return focus ? [writeLine(focusCells(focus))] : [];
    });
    yield Buffer.from(rows.join(""));
  }
}

/** The columns of the primary key, which finds the next page. */
const keyColumns = sql.join(
  [
    sums.accountId,
    sums.day,
    sums.model,
    sums.kind,
    sums.provider,
    sums.region,
    sums.keyId,
    sums.priceId,
    sums.sellingId,
    sums.batchId,
  ].map((column) => sql`${column}`),
  sql`, `,
);

async function* pagesOf(
  queries: BillingContext["database"]["queries"],
  wanted: SumsWanted,
): AsyncGenerator<SumsLine[]> {
  let last: SumsLine | undefined;
  for (;;) {
    const after = last
      ? sql`and (${keyColumns}) > (${sql.join(
          [
            last.accountId,
            last.day,
            last.model,
            last.kind,
            last.provider,
            last.region,
            last.keyId,
            last.priceId,
            last.sellingId,
            last.batchId,
          ].map((value) => sql`${value}`),
          sql`, `,
        )})`
      : sql``;
    // Names are joined only to the rows of the page: joined earlier, every page would read and sort all rows.
    const { rows: page } = await queries.execute<SumsLine & Record<string, unknown>>(sql`
      select usage_sums.account_id as "accountId", day, model, provider, region, kind, unit, price_id as "priceId",
        selling_id as "sellingId", batch_id as "batchId", ${sums.keyId} as "keyId", quantity::float8 as quantity, runs,
        cost::text as cost, charge::text as charge, ${accounts.name} as "accountName", ${apiKeys.name} as "keyName",
        ${users.name} as "userName"
      from (
        select * from ${sumsOf(wanted)} where ${whereOf(wanted)} ${after} order by ${keyColumns} limit ${rowsAtOnce}
      ) usage_sums
        join ${accounts} on ${accounts.id} = ${sums.accountId}
        left join ${apiKeys} on ${apiKeys.id} = ${sums.keyId}
        left join ${users} on ${users.id} = ${sums.keyId}
      order by ${keyColumns}`);
    if (page.length > 0) yield page;
    if (page.length < rowsAtOnce) return;
    last = page.at(-1);
  }
}

function csvColumns(ofOperator: boolean): string[] {
  const own = [
    "day",
    "model",
    "provider",
    "region",
    "kind",
    "unit",
    "quantity",
    "runs",
    "key_id",
    "key_name",
    "batch_id",
  ];
  return ofOperator
    ? [...own, "account_id", "account_name", "cost", "charge", "currency", "price_id"]
    : [...own, "cost", "currency", "price_id"];
}

/** An amount without a price is empty, never 0. */
function csvCells(row: SumsLine, currency: string, ofOperator: boolean): string[] {
  const { day, model, provider, region, kind, unit, quantity, runs, keyId, keyName, batchId } = row;
  const own = [
    day,
    model,
    provider,
    region,
    kind,
    unit,
    String(quantity),
    String(runs),
    keyId,
    keyName ?? "",
    batchId,
  ];
  const charge = exact(row.charge) ?? "";
  const price = ofOperator ? row.sellingId || row.priceId : callersPrice(row);
  return ofOperator
    ? [...own, row.accountId, row.accountName, exact(row.cost) ?? "", charge, currency, price]
    : [...own, charge, currency, price];
}

/** Null for a row without a price, because FOCUS has no unknown cost. */
function focusRow(row: SumsLine, currency: string, ofOperator: boolean): FocusRow | null {
  const amount = exact(ofOperator ? row.cost : row.charge);
  if (amount === null) return null;
  const payerName = row.keyName ?? row.userName;
  return { ...row, amount, currency, payerName, priceId: ofOperator ? row.priceId : callersPrice(row) };
}

/**
 * The version that an account pays by: its own price, otherwise the cost price. Callers must not see markups.
 */
function callersPrice({ priceId, sellingId }: SumsLine): string {
  return sellingId.startsWith("mkp_") ? priceId : sellingId || priceId;
}

/** One sum of a day, with its price. */
interface FocusRow {
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
  /** A key, or a signed-in person; the name is null after their deletion. */
  keyId: string;
  payerName: string | null;
  quantity: number;
  amount: string;
  currency: string;
}

const dayMs = 86_400_000;

/** FOCUS's spelling of units; for others the first letter is capitalised. */
const unitNames = new Map([
  ["token", "Tokens"],
  ["character", "Characters"],
  ["second", "Seconds"],
  ["generation", "Images"],
  ["operation", "Operations"],
  ["request", "Requests"],
  ["input_image", "Images"],
  [failedUnit, "Tokens"],
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
  // In FOCUS each kind is a SKU, because a price has a rate for each kind.
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

/** `2026-11-20T00:00:00Z`: FOCUS has no fractions of a second. */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Rates have twelve decimals and apply to up to a billion units. */
const priceDecimals = 24;

/**
 * The average cost of one unit: within a day the rate may depend on the run, for example for long contexts.
 */
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

const focusColumns: readonly string[] = columns.map(([name]) => name);

function focusCells(row: FocusRow): string[] {
  return columns.map(([, cellOf]) => cellOf(row));
}
