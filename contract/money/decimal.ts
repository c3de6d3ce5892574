/**
 * Exact decimals for money. A bigint counts units of 10^-12, so an amount has twelve decimals. Amounts are
 * sent as strings and are never JavaScript numbers.
 */
export const decimalPlaces = 12;
const scale = 10n ** BigInt(decimalPlaces);

/** Most digits of an amount before the decimal point. */
const wholeDigits = 18;
const decimalForm = new RegExp(`^(-?)(\\d{1,${wholeDigits}})(?:\\.(\\d{1,${decimalPlaces}}))?$`);

/**
 * The decimal in `text`, in units of 10^-12. Null when the text is not a decimal or has more decimals than
 * twelve.
 */
export function parseDecimal(text: string): bigint | null {
  const match = decimalForm.exec(text);
  if (!match) return null;
  const [, sign, whole = "", decimals = ""] = match;
  const value = BigInt(whole + decimals.padEnd(decimalPlaces, "0"));
  return sign === "-" ? -value : value;
}

/** The same for a text that is known to be a decimal. Throws a RangeError otherwise. */
export function decimalOf(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`"${text}" is not a decimal`);
  return value;
}

/** A decimal as a string with as few decimals as possible, but at least `least`: `0.0123`, `12`, `12.00`. */
export function decimalText(value: bigint, least = 0): string {
  const size = value < 0n ? -value : value;
  const decimals = (size % scale).toString().padStart(decimalPlaces, "0");
  let kept = decimalPlaces;
  while (kept > least && decimals.charCodeAt(kept - 1) === 48) kept -= 1;
  const text = `${value < 0n ? "-" : ""}${size / scale}`;
  return kept === 0 ? text : `${text}.${decimals.slice(0, kept)}`;
}

/** The quotient, rounded once. A half is rounded away from zero. `divisor` is positive. */
export function divideRounded(value: bigint, divisor: bigint): bigint {
  const half = value < 0n ? -(divisor / 2n) : divisor / 2n;
  return (value + half) / divisor;
}

/** The amount for a quantity at a rate per `per` units, rounded once to twelve decimals. */
export function amountOf(rate: bigint, quantity: number, per: number): bigint {
  if (Number.isSafeInteger(quantity)) return divideRounded(rate * BigInt(quantity), BigInt(per));
  return divideRounded(rate * quantityOf(quantity), BigInt(per) * scale);
}

/**
 * A measured quantity, such as 12.345 seconds, in units of 10^-12. Throws a RangeError when it is not finite.
 */
export function quantityOf(quantity: number): bigint {
  if (!Number.isFinite(quantity)) throw new RangeError(`${quantity} is not a quantity`);
  if (Number.isSafeInteger(quantity)) return BigInt(quantity) * scale;
  const [digits = "0", exponent = "0"] = String(quantity).split("e");
  const [whole = "0", decimals = ""] = digits.split(".");
  const value = BigInt(whole + decimals);
  const shift = decimalPlaces - decimals.length + Number(exponent);
  return shift >= 0 ? value * 10n ** BigInt(shift) : divideRounded(value, 10n ** BigInt(-shift));
}

/** A rate increased by a percentage, rounded once to twelve decimals. */
export function withPercent(rate: bigint, percent: bigint): bigint {
  return divideRounded(rate * (100n * scale + percent), 100n * scale);
}

/** The sum of decimals that are sent as strings. */
export function sumOfDecimals(amounts: Iterable<string>): string {
  let sum = 0n;
  for (const amount of amounts) sum += decimalOf(amount);
  return decimalText(sum);
}
