import type { Context } from "#gateway/context.ts";
import { lettingOthersRun } from "#gateway/platform/core/event-loop.ts";
import { writeCell } from "#gateway/platform/core/formula-text.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys, usageSums as sums, users } from "#gateway/platform/database/schema.ts";
import { type FocusRow, focusCells, focusColumns } from "./focus.ts";
import { exact, type SumsWanted, sumsOf, whereOf } from "./sums.ts";

/** Rows that are in memory at once. */
const rowsAtOnce = 2_000;

export interface UsageFile extends SumsWanted {
  format: "csv" | "focus";
  /** With what the operator pays; never for callers. */
  ofOperator: boolean;
}

type SumsLine = typeof sums.$inferSelect & {
  accountName: string;
  keyName: string | null;
  userName: string | null;
};

/** The sums of each day as a table, written while they are read. */
export async function* usageFile({ config, database }: Context, file: UsageFile): AsyncGenerator<Buffer> {
  const isFocus = file.format === "focus";
  const columns = isFocus ? focusColumns : csvColumns(file.ofOperator);
  // With the mark that tells Excel that it is UTF-8.
  yield Buffer.from(`\uFEFF${line(columns)}`);
  const pause = lettingOthersRun();
  for await (const page of pagesOf(database.queries, file)) {
    await pause();
    const rows = page.flatMap((row) => {
      if (!isFocus) return [line(csvCells(row, config.currency, file.ofOperator))];
      const focus = focusRow(row, config.currency, file.ofOperator);
      return focus ? [line(focusCells(focus))] : [];
    });
    yield Buffer.from(rows.join(""));
  }
}

/** The primary key: by it the next page is found. */
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
  queries: Context["database"]["queries"],
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
    // Names are joined to the rows of the page: joined before, every page would read and sort all rows.
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

/** An amount that is not priced is empty, never 0. */
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

/** Null: not priced. FOCUS knows no cost that is unknown. */
function focusRow(row: SumsLine, currency: string, ofOperator: boolean): FocusRow | null {
  const amount = exact(ofOperator ? row.cost : row.charge);
  if (amount === null) return null;
  const payerName = row.keyName ?? row.userName;
  return { ...row, amount, currency, payerName, priceId: ofOperator ? row.priceId : callersPrice(row) };
}

/** The version that an account pays by: its own price, else that of the cost. Callers learn of no markup. */
function callersPrice({ priceId, sellingId }: SumsLine): string {
  return sellingId.startsWith("mkp_") ? priceId : sellingId || priceId;
}

function line(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}
