import { readCsv } from "#contract/csv.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import {
  type DecimalSign,
  isCurrency,
  plainDecimal,
  readAmount,
  type WrittenAmount,
} from "@/lib/written-amount";
import type { Words } from "../../../messages/words.ts";
import { listText } from "../../words/list-text.ts";

/** The sum for a model on a day. */
export interface BillSum {
  day: string;
  model: string;
  amount: bigint;
}

export interface BillSums {
  sums: BillSum[];
  /** The first lines with an unreadable value. */
  faults: string[];
  faultsTotal: number;
  /** Questions that the user must answer before the sums are right, because some lines have two readings. */
  asks: ReadonlySet<keyof BillForm>;
  /** A second currency in the bill, whose lines cannot be compared. */
  otherCurrency: string | null;
  from: string;
  to: string;
}

/** Adds up a bill by day and model. Lines without an amount are ignored. */
export function sumBill(
  t: Words<"operatorUsage">,
  bill: Bill,
  at: BillColumns,
  { currency, decimal, dayFirst }: BillForm & { currency: string },
): BillSums {
  const { columns, rows } = bill;
  const { day, model, amount } = at;
  const byKey = new Map<string, BillSum>();
  const faults: string[] = [];
  const asks = new Set<keyof BillForm>();
  let otherCurrency = otherCurrencyOf(bill, at, currency);
  let faultsTotal = 0;
  let [from, to] = ["9999-12-31", "0000-01-01"];
  for (const { line, cells } of rows) {
    const written = (cells[amount] ?? "").trim();
    if (written === "") continue;
    const refuse = (at: number, say: (place: { line: number; column: string; cell: string }) => string) => {
      faultsTotal += 1;
      const cell = (cells[at] ?? "").trim().slice(0, 40);
      if (faults.length < billLimits.faults) faults.push(say({ line, column: columns[at] ?? "", cell }));
    };
    const value = amountIn(written, currency, decimal);
    const date = dayIn(cells[day] ?? "", dayFirst);
    // Ask both questions at once.
    if (date === undefined) asks.add("dayFirst");
    if (value === null) refuse(amount, (place) => t("isNoAmount", place));
    else if (typeof value !== "bigint") {
      if ("meanings" in value) asks.add("decimal");
      else otherCurrency ??= value.currency;
      refuse(amount, (place) =>
        "meanings" in value
          ? t("canMean", { ...place, meanings: listText(t.language, value.meanings, "disjunction") })
          : t("isNotIn", { ...place, currency }),
      );
    } else if (date === undefined) refuse(day, (place) => t("canMeanTwoDays", place));
    else if (date === null) refuse(day, (place) => t("isNoDate", place));
    else {
      const name = (cells[model] ?? "").trim();
      const key = JSON.stringify([date, name]);
      const sum = byKey.get(key) ?? { day: date, model: name, amount: 0n };
      sum.amount += value;
      byKey.set(key, sum);
      if (date < from) from = date;
      if (date > to) to = date;
    }
  }
  return { sums: [...byKey.values()], faults, faultsTotal, asks, otherCurrency, from, to };
}

/** Our sum and the bill's, for a model on a day. Null: one side has no amount. */
export interface BillDifference {
  day: string;
  /** Our model, or the bill's name for it if the user has chosen none. */
  model: string;
  isOurs: boolean;
  theirs: string | null;
  ours: string | null;
  /** The bill's amount minus ours. */
  difference: string;
  /** Number of our runs without a price. */
  notPriced: number;
}

export interface BillComparison {
  rows: BillDifference[];
  theirs: string;
  ours: string;
  difference: string;
}

/**
 * All days and models of both sides, the largest difference first. `modelOf` maps the bill's names to our
 * models.
 */
export function compareBill(
  { sums }: BillSums,
  ours: readonly Pick<OperatorUsageRow, "day" | "model" | "cost">[],
  modelOf: ReadonlyMap<string, string>,
): BillComparison {
  interface Pair extends Pick<BillDifference, "day" | "model" | "isOurs" | "notPriced"> {
    theirs: bigint | null;
    ours: bigint | null;
  }
  const pairs = new Map<string, Pair>();
  const pairOf = (day: string, model: string, isOurs: boolean) => {
    const key = JSON.stringify([day, model, isOurs]);
    const pair = pairs.get(key) ?? { day, model, isOurs, theirs: null, ours: null, notPriced: 0 };
    pairs.set(key, pair);
    return pair;
  };
  let [theirsTotal, oursTotal] = [0n, 0n];
  for (const { day, model, amount } of sums) {
    const known = modelOf.get(model);
    const pair = pairOf(day, known ?? model, known !== undefined);
    pair.theirs = (pair.theirs ?? 0n) + amount;
    theirsTotal += amount;
  }
  for (const { day = "", model = "", cost } of ours) {
    const pair = pairOf(day, model, true);
    pair.notPriced += cost.not_priced;
    if (cost.amount === null) continue;
    const amount = decimalOf(cost.amount);
    pair.ours = (pair.ours ?? 0n) + amount;
    oursTotal += amount;
  }
  const differenceOf = ({ theirs, ours: own }: Pair) => (theirs ?? 0n) - (own ?? 0n);
  const sizeOf = (value: bigint) => (value < 0n ? -value : value);
  const text = (value: bigint | null) => (value === null ? null : decimalText(value));
  const rows = [...pairs.values()]
    .map((pair) => ({ pair, difference: differenceOf(pair) }))
    .toSorted(
      (one, other) =>
        Number(sizeOf(other.difference) - sizeOf(one.difference)) ||
        other.pair.day.localeCompare(one.pair.day) ||
        one.pair.model.localeCompare(other.pair.model),
    )
    .map(({ pair, difference }) => ({
      ...pair,
      theirs: text(pair.theirs),
      ours: text(pair.ours),
      difference: decimalText(difference),
    }));
  return {
    rows,
    theirs: decimalText(theirsTotal),
    ours: decimalText(oursTotal),
    difference: decimalText(theirsTotal - oursTotal),
  };
}

/**
 * Proposes our model for each name in the bill, by the upstream models of our routes. Longer names match
 * better.
 */
export function proposeModels(
  names: readonly string[],
  routes: readonly { model: string; upstreamModel: string }[],
): Map<string, string> {
  const longestFirst = routes.toSorted((one, other) => other.upstreamModel.length - one.upstreamModel.length);
  return new Map(
    names.flatMap((name): [string, string][] => {
      const written = plain(name);
      const found = longestFirst.find(
        ({ model, upstreamModel }) =>
          written.includes(plain(upstreamModel)) || written.includes(plain(model)),
      );
      return found && plain(found.upstreamModel) !== "" ? [[name, found.model]] : [];
    }),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** A provider's bill as a table. */
export interface Bill {
  columns: string[];
  rows: { line: number; cells: string[] }[];
}

/** The column of each value, by index; -1: none. */
export interface BillColumns {
  day: number;
  model: number;
  amount: number;
}

export const billLimits = { bytes: 30_000_000, rows: 500_000, faults: 20 } as const;

/** Returns the bill, or a text that says why the file is not a bill. */
export function readBill(t: Words<"operatorUsage">, text: string): Bill | string {
  const bill: Bill = { columns: [], rows: [] };
  let isHeader = true;
  for (const { line, cells, fault } of readCsv(text)) {
    if (fault) return t("lineProblem", { line: fault.line, problem: fault.message });
    if (isHeader) bill.columns = cells.map((name) => name.trim());
    else bill.rows.push({ line, cells });
    isHeader = false;
    if (bill.rows.length > billLimits.rows) return t("tooManyRows", { count: billLimits.rows });
  }
  if (bill.rows.length === 0) return t("noRows");
  return bill;
}

const sampleRows = 50;
const headers = {
  day: /date|day|time|period|start/i,
  model: /model|sku|product|item|resource|service|description|operation/i,
  amount: /cost|amount|charge|total|spend|usd|eur|price/i,
};

/** Guesses the columns by their names and contents. Better names come first. */
export function proposeColumns({ columns, rows }: Bill, currency: string): BillColumns {
  const sample = rows.slice(0, sampleRows);
  const share = (at: number, isGood: (cell: string) => boolean) =>
    sample.filter(({ cells }) => isGood((cells[at] ?? "").trim())).length / sample.length;
  const best = (name: RegExp, isGood: (cell: string) => boolean, taken: readonly number[] = []) => {
    const scores = columns.map((column, at) =>
      taken.includes(at) ? 0 : (name.test(column) ? 2 : 0) + (share(at, isGood) > 0.8 ? 1 : -2),
    );
    const most = Math.max(0, ...scores);
    return most > 0 ? scores.indexOf(most) : -1;
  };
  const day = best(headers.day, (cell) => dayIn(cell, null) !== null);
  const amount = best(headers.amount, (cell) => cell !== "" && amountIn(cell, currency, null) !== null, [
    day,
  ]);
  const model = best(headers.model, (cell) => /[a-z]/i.test(cell), [day, amount]);
  return { day, model, amount };
}

/** How to read values with two readings. Null: unknown. */
export interface BillForm {
  /** The decimal sign, by which `1,234` and `1.234` are read. */
  decimal: DecimalSign | null;
  /** Whether the day comes first, so that `03/04/2026` is in April. */
  dayFirst: boolean | null;
}

/** Guesses the formats from cells that have only one reading. */
export function proposeForm({ rows }: Bill, { day, amount }: BillColumns, currency: string): BillForm {
  const signs = new Set<DecimalSign>();
  const orders = new Set<boolean>();
  for (const { cells } of rows) {
    const written = cells[amount] ?? "";
    if (/[.,]/.test(written)) {
      const isRead = (sign: DecimalSign) => typeof amountIn(written, currency, sign) === "bigint";
      const [withPoint, withComma] = [isRead("."), isRead(",")];
      if (withPoint !== withComma) signs.add(withPoint ? "." : ",");
    }
    const date = cells[day] ?? "";
    if (slashedDate.test(date)) {
      const [dayFirst, monthFirst] = [dayIn(date, true), dayIn(date, false)];
      if ((dayFirst === null) !== (monthFirst === null)) orders.add(dayFirst !== null);
    }
  }
  const only = <Value>(values: ReadonlySet<Value>) => (values.size === 1 ? ([...values][0] ?? null) : null);
  return { decimal: only(signs), dayFirst: only(orders) };
}

/** The first currency other than ours, in the currency column or in the header of the amounts. */
export function otherCurrencyOf(
  { columns, rows }: Bill,
  { amount }: BillColumns,
  currency: string,
): string | null {
  const places = currencyTitles.map((title) => columns.findIndex((column) => title.test(column.trim())));
  const column = places.find((place) => place >= 0) ?? -1;
  const named = new Set(rows.map(({ cells }) => (cells[column] ?? "").trim()));
  const [inTitle] = currencyInTitle.exec(columns[amount] ?? "") ?? [];
  if (inTitle) named.add(inTitle);
  for (const mark of named) {
    const read = isCurrency(mark) ? readAmount(`1 ${mark}`, { currency }) : null;
    if (read && "currency" in read) return mark;
  }
  return null;
}

/** Best first: FOCUS bills have a currency of list prices in addition to the billing currency. */
const currencyTitles = [/^billing.?currency$/i, /^currency/i, /currency/i];
/** `Cost (EUR)`, `cost_eur`, `Amount in €`. */
const currencyInTitle = /(?<=[\s([_])(?:[A-Za-z]{3}|\p{Sc})(?=[)\]]?\s*$)/u;

const slashedDate = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})/;

/** The UTC dates that a cell can mean: two for `03/04/2026`, none if the cell is not a date. */
function datesIn(cell: string, dayFirst: boolean | null): (string | null)[] {
  const text = cell.trim();
  const [, year, month, day] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?!\d)/.exec(text) ?? [];
  if (year && month && day) return [dateOf(year, month, day)];
  const [, dayOf, monthOf, yearOf] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(text) ?? [];
  if (yearOf) return [dateOf(yearOf, monthOf, dayOf)];
  const [, first, second, last] = slashedDate.exec(text) ?? [];
  if (!last) return [];
  return [
    ...(dayFirst !== false ? [dateOf(last, second, first)] : []),
    ...(dayFirst !== true ? [dateOf(last, first, second)] : []),
  ];
}

/**
 * The UTC date in a cell: `2026-11-20T00:00:00Z`, `2026/11/20`, `20261120`, `20.11.2026`, `11/20/2026`.
 * Undefined if there are two possible dates and `dayFirst` is unknown.
 */
export function dayIn(cell: string, dayFirst: boolean | null): string | null | undefined {
  const dates = new Set(datesIn(cell, dayFirst).filter((date) => date !== null));
  return dates.size > 1 ? undefined : ([...dates][0] ?? null);
}

function dateOf(year = "", month = "", day = ""): string | null {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Date.parse(date);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? null : date;
}

const places = 12;

/**
 * An amount in units of 10^-12, rounded to one: `1.2345`, `$1,234.50`, `−3`, `1.5e-7`, `(3.00)`. Otherwise
 * the reason why it cannot be read: it has two readings, or is in another currency.
 */
export function amountIn(
  cell: string,
  currency: string,
  decimal: DecimalSign | null,
): bigint | Exclude<WrittenAmount, { value: string }> {
  const inBrackets = /^\((.*)\)$/.exec(cell.trim())?.[1];
  const read = readAmount(inBrackets ?? cell, { currency, decimal });
  if (read === null || !("value" in read)) return read;
  const plain = plainDecimal(read.value, places);
  if (plain === null) return null;
  const [whole = "0", fraction = ""] = plain.replace("-", "").split(".");
  const size = BigInt(whole) + (fraction >= "5" ? 1n : 0n);
  return plain.startsWith("-") !== (inBrackets !== undefined) ? -size : size;
}
