import { plainDecimal } from "./operator/prices/exact-number.ts";

export type DecimalSign = "." | ",";

/** An amount as somebody wrote it; null: no amount. */
export type WrittenAmount =
  | { value: string }
  /** It can be read in two ways: with a point and with a comma as the decimal sign. */
  | { meanings: readonly [string, string] }
  /** It is in this other currency. */
  | { currency: string }
  | null;

interface Reading {
  /** The only currency whose sign the text may have; without one, no sign is taken. */
  currency?: string | undefined;
  /** Null: not known, so that `1,234` has two meanings and `0,15` has one. */
  decimal?: DecimalSign | null;
}

/** The hyphens, dashes and minus signs that spreadsheets, bills and people write for a minus. */
const minusSigns = /[\u2010-\u2014\u2212\uFE58\uFE63\uFF0D]/g;
/** A sign, a currency on either side, and the number, which may follow the sign or the currency. */
const parts =
  /^([+-]?)\s*([^\d\s.,()+-]{0,4})\s*([+-]?)((?:\d|[.,]\d)[\d.,]{0,80}(?:[eE][+-]?\d{1,4})?)\s*([^\d\s.,()+-]{0,4})$/;

/**
 * An amount of a person, a table or a bill, as a plain decimal: `0.15`, `$1,234.50`, `−3`, `1.5e-07`, `2 EUR`. What is between a
 * comma or point and three last digits (`1,234`, `1.250`) may be thousands or decimals, so it has two meanings until
 * `decimal` is known.
 */
export function readAmount(text: string, { currency, decimal = null }: Reading = {}): WrittenAmount {
  const [, sign = "", before = "", innerSign = "", number = "", after = ""] =
    parts.exec(text.trim().replace(minusSigns, "-")) ?? [];
  if (number === "" || (sign !== "" && innerSign !== "")) return null;
  for (const mark of [before, after]) {
    if (mark === "" || (currency && signsOf(currency).has(mark.toUpperCase()))) continue;
    return currency && isCurrency(mark) ? { currency: mark } : null;
  }
  const minus = sign === "-" || innerSign === "-" ? "-" : "";
  const read = (by: DecimalSign) => plainDecimal(minus + pointed(number, by));
  if (decimal !== null) return asValue(read(decimal));
  const [withPoint, withComma] = [read("."), read(",")];
  if (withPoint === null || withComma === null || withPoint === withComma)
    return asValue(withPoint ?? withComma);
  return { meanings: [withPoint, withComma] };
}

const asValue = (value: string | null) => (value === null ? null : { value });

/** The number with a point and without separators of thousands; empty where it is not written with this decimal sign. */
function pointed(number: string, decimal: DecimalSign): string {
  const [mantissa = "", exponent] = number.split(/[eE]/);
  const [whole = "", fraction = "", ...more] = mantissa.split(decimal);
  const separator = decimal === "." ? "," : ".";
  if (more.length > 0 || fraction.includes(separator)) return "";
  const groups = whole.split(separator);
  if (groups.length > 1 && exponent !== undefined) return "";
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(groups[0] ?? "") && groups.slice(1).every((group) => group.length === 3);
  if (groups.length > 1 && !isGrouped) return "";
  return `${groups.join("")}.${fraction}${exponent === undefined ? "" : `e${exponent}`}`;
}

const signsByCurrency = new Map<string, ReadonlySet<string>>();

/** How a currency is written in English: `USD`, `$`, `US$`. */
function signsOf(currency: string): ReadonlySet<string> {
  const known = signsByCurrency.get(currency);
  if (known) return known;
  const signs = new Set([currency]);
  for (const locale of ["en", "en-CA"])
    for (const currencyDisplay of ["symbol", "narrowSymbol"] as const)
      for (const { type, value } of new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        currencyDisplay,
      }).formatToParts(0))
        if (type === "currency") signs.add(value.toUpperCase());
  signsByCurrency.set(currency, signs);
  return signs;
}

let codes: ReadonlySet<string> | null = null;

/** Whether it is the sign or the code of any currency: `€`, `A$`, `EUR`. */
export function isCurrency(mark: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf("currency"));
  return /\p{Sc}/u.test(mark) || codes.has(mark.toUpperCase());
}

/** A typed amount, or what its author should write instead. */
export type TypedAmount = { value: string; problem?: never } | { value?: never; problem: string };

/**
 * An amount that somebody typed into a field, where a point is the decimal sign. What may be meant otherwise is refused, with
 * the ways to write it. `otherwise` is what to say of a text that is no amount.
 */
export function typedAmount(text: string, otherwise: string, currency?: string): TypedAmount {
  const read = readAmount(text, { currency });
  if (read === null) return { problem: otherwise };
  const quoted = `"${text.trim().slice(0, 40)}"`;
  if ("currency" in read)
    return { problem: `${quoted} is in another currency than ${currency}. Amounts are never converted.` };
  if ("meanings" in read) {
    const [one, other] = read.meanings.map(unambiguous);
    return { problem: `${quoted} can mean two amounts. Write ${one} or ${other}.` };
  }
  const withPoint = readAmount(text, { currency, decimal: "." });
  if (withPoint && "value" in withPoint) return read;
  return { problem: `The decimal sign is a point. Write ${unambiguous(read.value)}.` };
}

/** A decimal for a field that `typedAmount` reads: `1.125` as `1.1250`, which cannot be thousands. */
export function unambiguous(decimal: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal;
}
