import { readCsv } from "#contract/csv.ts";
import { plainDecimal } from "../prices/exact-number.ts";

/** A provider's bill as a table. */
export interface Bill {
  columns: string[];
  rows: { line: number; cells: string[] }[];
}

/** Which columns say what, by their places; -1: none. */
export interface BillColumns {
  day: number;
  model: number;
  amount: number;
}

export const billLimits = { bytes: 30_000_000, rows: 500_000, faults: 20 } as const;

/** A text says why it is no bill. */
export function readBill(text: string): Bill | string {
  const bill: Bill = { columns: [], rows: [] };
  let isHeader = true;
  for (const { line, cells, fault } of readCsv(text)) {
    if (fault) return `Line ${fault.line}: ${fault.message}`;
    if (isHeader) bill.columns = cells.map((name) => name.trim());
    else bill.rows.push({ line, cells });
    isHeader = false;
    if (bill.rows.length > billLimits.rows)
      return `It has more than ${billLimits.rows.toLocaleString("en")} rows.`;
  }
  if (bill.rows.length === 0) return "It has no rows below its header.";
  return bill;
}

const sampleRows = 50;
const headers = {
  day: /date|day|time|period|start/i,
  model: /model|sku|product|item|resource|service|description|operation/i,
  amount: /cost|amount|charge|total|spend|usd|eur|price/i,
};

/** The columns that look right by their names and by what is in them; better names come first. */
export function proposeColumns({ columns, rows }: Bill): BillColumns {
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
  const day = best(headers.day, (cell) => dayIn(cell) !== null);
  const amount = best(headers.amount, (cell) => cell !== "" && amountIn(cell) !== null, [day]);
  const model = best(headers.model, (cell) => /[a-z]/i.test(cell), [day, amount]);
  return { day, model, amount };
}

/** The UTC date in a cell: `2026-11-20T00:00:00Z`, `2026/11/20`, `20261120`, `20.11.2026`, `11/20/2026`. */
export function dayIn(cell: string): string | null {
  const text = cell.trim();
  const [, year, month, day] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?!\d)/.exec(text) ?? [];
  if (year && month && day) return dateOf(year, month, day);
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(text);
  if (german) return dateOf(german[3], german[2], german[1]);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text);
  return american ? dateOf(american[3], american[1], american[2]) : null;
}

function dateOf(year = "", month = "", day = ""): string | null {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const ms = Date.parse(date);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? null : date;
}

const places = 12;

/** An amount in 10^-12, rounded to that: `1.2345`, `$1,234.50`, `-3`, `1.5e-7`, `(3.00)`. */
export function amountIn(cell: string): bigint | null {
  const text = cell.trim();
  const inBrackets = /^\((.*)\)$/.exec(text);
  const bare = (inBrackets?.[1] ?? text)
    .replace(/^(-?)\s*[^\d.,+-]{1,3}/, "$1")
    .replace(/\s*[A-Za-z]{3}$/, "");
  const plain = plainDecimal(
    /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(",", "") : bare,
    places,
  );
  if (plain === null) return null;
  const [whole = "0", fraction = ""] = plain.replace("-", "").split(".");
  const size = BigInt(whole) + (fraction >= "5" ? 1n : 0n);
  return plain.startsWith("-") !== Boolean(inBrackets) ? -size : size;
}
