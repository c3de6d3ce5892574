import type { Words } from "../messages/words.ts";

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

/** Longer numbers cannot be prices. */
const maxDigits = 40;

const maxExponent = 40;

const numberParts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

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

/**
 * Converts a written number (`0.15`, `1.5e-07`, `.5`) to a plain decimal without needless zeros
 * (`0.00000015`), digit by digit, because a float could change digits. `shift` moves the point to the right:
 * 6 turns a rate per unit into one per million. Null if the text is not a number, or longer than any price.
 */
export function plainDecimal(written: string, shift = 0): string | null {
  const text = written.trim();
  const parts = text.length > 0 && text.length <= maxDigits + 8 ? numberParts.exec(text) : null;
  if (!parts) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  if (whole + fraction === "") return null;
  const point = Number(exponent) + shift;
  if (Math.abs(point) > maxExponent || whole.length + fraction.length > maxDigits) return null;
  const digits = `${"0".repeat(maxExponent)}${whole}${fraction}${"0".repeat(maxExponent)}`;
  const at = maxExponent + whole.length + point;
  const before = digits.slice(0, at).replace(/^0+/, "") || "0";
  const after = digits.slice(at).replace(/0+$/, "");
  const plain = after === "" ? before : `${before}.${after}`;
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
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
export function typedAmount(
  t: Words<"amounts">,
  text: string,
  otherwise: string,
  currency?: string,
): TypedAmount {
  const read = readAmount(text, { currency });
  if (read === null) return { problem: otherwise };
  const quoted = text.trim().slice(0, 40);
  if ("currency" in read) return { problem: t("otherCurrency", { text: quoted, currency: currency ?? "" }) };
  if ("meanings" in read) {
    const [one, other] = read.meanings;
    return {
      problem: t("twoMeanings", { text: quoted, one: unambiguous(one), other: unambiguous(other) }),
    };
  }
  const withPoint = readAmount(text, { currency, decimal: "." });
  if (withPoint && "value" in withPoint) return read;
  return { problem: t("decimalPoint", { amount: unambiguous(read.value) }) };
}

/** A decimal that `typedAmount` can read only one way: `1.125` as `1.1250`, which cannot be thousands. */
export function unambiguous(decimal: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal;
}

/**
 * Parses JSON but returns each number as its original text: `1.5e-07` stays `1.5e-07`. Throws as `JSON.parse`
 * does.
 */
export function parseWithExactNumbers(text: string): unknown {
  // The parameters are typed by hand, because TypeScript does not know the third one yet. In a browser that
  // does not pass it, the number's shortest text is used, which equals the original up to 15 digits.
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}
