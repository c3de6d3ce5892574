import { plainDecimal } from "./operator/prices/exact-number.ts";

export type DecimalSign = "." | ",";

/** The parsed amount. Null: the text is not an amount. */
export type WrittenAmount =
  | { value: string }
  /** The amount has two meanings: the decimal sign can be the point or the comma. */
  | { meanings: readonly [string, string] }
  /** The amount is in this currency instead of the expected one. */
  | { currency: string }
  | null;

interface Reading {
  /** The only currency whose sign the text may have. If missing, no sign is accepted. */
  currency?: string | undefined;
  /** Null: unknown, so that `1,234` has two readings and `0,15` has one. */
  decimal?: DecimalSign | null;
}

/** The hyphens, dashes and minus signs that spreadsheets, bills and people use as a minus. */
const minusSigns = /[\u2010-\u2014\u2212\uFE58\uFE63\uFF0D]/g;
/** A sign, a currency on either side, and the number, which may follow the sign or the currency. */
const parts =
  /^([+-]?)\s*([^\d\s.,()+-]{0,4})\s*([+-]?)((?:\d|[.,]\d)[\d.,]{0,80}(?:[eE][+-]?\d{1,4})?)\s*([^\d\s.,()+-]{0,4})$/;

/**
 * Parses an amount that a person, table or bill contains, as a plain decimal: `0.15`, `$1,234.50`, `−3`,
 * `1.5e-07`, `2 EUR`. The comma or point before the last three digits (`1,234`, `1.250`) may separate
 * thousands or decimals, so such an amount has two readings until `decimal` is known.
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

/**
 * The number with a decimal point and without thousands separators. Empty if it does not use this decimal
 * sign.
 */
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

/** How English texts write a currency: `USD`, `$`, `US$`. */
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

/** Whether the text is the sign or code of any currency: `€`, `A$`, `EUR`. */
export function isCurrency(mark: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf("currency"));
  return /\p{Sc}/u.test(mark) || codes.has(mark.toUpperCase());
}

/** A typed amount, or advice on what to write instead. */
export type TypedAmount = { value: string; problem?: never } | { value?: never; problem: string };

/**
 * An amount typed into a field, with a point as the decimal sign. An ambiguous amount is refused, with the
 * two ways to write it. `otherwise` is the message for a text that is not an amount.
 */
export function typedAmount(text: string, otherwise: string, currency?: string): TypedAmount {
  const read = readAmount(text, { currency });
  if (read === null) return { problem: otherwise };
  const quoted = `"${text.trim().slice(0, 40)}"`;
  if ("currency" in read)
    return {
      problem: `${quoted} is not in ${currency}. Enter an amount in ${currency}: amounts are never converted.`,
    };
  if ("meanings" in read) {
    const [one, other] = read.meanings.map(unambiguous);
    return { problem: `${quoted} can mean two amounts. Write ${one} or ${other}.` };
  }
  const withPoint = readAmount(text, { currency, decimal: "." });
  if (withPoint && "value" in withPoint) return read;
  return { problem: `The decimal sign is a point. Write ${unambiguous(read.value)}.` };
}

/** A decimal that `typedAmount` can read only one way: `1.125` as `1.1250`, which cannot be thousands. */
export function unambiguous(decimal: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal;
}
