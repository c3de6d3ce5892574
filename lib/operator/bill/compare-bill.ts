import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import {
  amountIn,
  type Bill,
  type BillColumns,
  type BillForm,
  billLimits,
  dayIn,
  otherCurrencyOf,
} from "./read-bill.ts";

/** The sum for a model on a day. */
export interface BillSum {
  day: string;
  model: string;
  amount: bigint;
}

export interface BillSums {
  sums: BillSum[];
  /** The first lines that could not be read. */
  faults: string[];
  faultsTotal: number;
  /** Questions to answer before the sums are right: some lines have two readings. */
  asks: ReadonlySet<keyof BillForm>;
  /** A second currency in the bill; it cannot be compared. */
  otherCurrency: string | null;
  from: string;
  to: string;
}

/** Adds up a bill by day and model, ignoring lines without an amount. */
export function sumBill(
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
    const refuse = (column: number, message: string) => {
      faultsTotal += 1;
      if (faults.length < billLimits.faults)
        faults.push(
          `Line ${line}: ${columns[column]} "${(cells[column] ?? "").trim().slice(0, 40)}" ${message}.`,
        );
    };
    const value = amountIn(written, currency, decimal);
    const date = dayIn(cells[day] ?? "", dayFirst);
    // Ask about both at once.
    if (date === undefined) asks.add("dayFirst");
    if (value === null) refuse(amount, "is not an amount");
    else if (typeof value !== "bigint") {
      if ("meanings" in value) asks.add("decimal");
      else otherCurrency ??= value.currency;
      refuse(
        amount,
        "meanings" in value ? `can mean ${value.meanings.join(" or ")}` : `is not in ${currency}`,
      );
    } else if (date === undefined) refuse(day, "can mean two days");
    else if (date === null) refuse(day, "is not a date");
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

/** Our sum and the bill's, for a model on a day; null: one side has nothing. */
export interface BillDifference {
  day: string;
  /** Our model, or the bill's name for it if none is chosen. */
  model: string;
  isOurs: boolean;
  theirs: string | null;
  ours: string | null;
  /** Theirs minus ours. */
  difference: string;
  /** Our runs without a price. */
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
 * Proposes our model for each name in the bill, by the upstream model in our routes; longer names match
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
