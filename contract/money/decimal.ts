/**
 * Exact decimals for money: a bigint that counts 10^-12, of which twelve decimals are the last. Amounts travel as strings
 * and are never numbers of JavaScript.
 */
export const decimalPlaces = 12;
const scale = 10n ** BigInt(decimalPlaces);

/** Digits before the point that an amount may have. */
const wholeDigits = 18;
const decimalForm = new RegExp(`^(-?)(\\d{1,${wholeDigits}})(?:\\.(\\d{1,${decimalPlaces}}))?$`);

/** The decimal in `text`, in 10^-12; null if it is none, or has more decimals. */
export function parseDecimal(text: string): bigint | null {
  const match = decimalForm.exec(text);
  if (!match) return null;
  const [, sign, whole = "", decimals = ""] = match;
  const value = BigInt(whole + decimals.padEnd(decimalPlaces, "0"));
  return sign === "-" ? -value : value;
}

/** The same of what is known to be a decimal. Throws RangeError. */
export function decimalOf(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`"${text}" is not a decimal`);
  return value;
}

/** As a string, with as many decimals as it needs, but at least `least`: `0.0123`, `12`, `12.00`. */
export function decimalText(value: bigint, least = 0): string {
  const size = value < 0n ? -value : value;
  const decimals = (size % scale).toString().padStart(decimalPlaces, "0");
  let kept = decimalPlaces;
  while (kept > least && decimals.charCodeAt(kept - 1) === 48) kept -= 1;
  const text = `${value < 0n ? "-" : ""}${size / scale}`;
  return kept === 0 ? text : `${text}.${decimals.slice(0, kept)}`;
}

/** The quotient, rounded once; a half is rounded away from zero. `divisor` is positive. */
export function divideRounded(value: bigint, divisor: bigint): bigint {
  const half = value < 0n ? -(divisor / 2n) : divisor / 2n;
  return (value + half) / divisor;
}

/** What a quantity costs at a rate per so many, rounded once to twelve decimals. */
export function amountOf(rate: bigint, quantity: number, per: number): bigint {
  if (Number.isSafeInteger(quantity)) return divideRounded(rate * BigInt(quantity), BigInt(per));
  return divideRounded(rate * quantityOf(quantity), BigInt(per) * scale);
}

/** A measured quantity, such as 12.345 seconds, in 10^-12. Throws RangeError for what is not finite. */
export function quantityOf(quantity: number): bigint {
  if (!Number.isFinite(quantity)) throw new RangeError(`${quantity} is not a quantity`);
  if (Number.isSafeInteger(quantity)) return BigInt(quantity) * scale;
  const [digits = "0", exponent = "0"] = String(quantity).split("e");
  const [whole = "0", decimals = ""] = digits.split(".");
  const value = BigInt(whole + decimals);
  const shift = decimalPlaces - decimals.length + Number(exponent);
  return shift >= 0 ? value * 10n ** BigInt(shift) : divideRounded(value, 10n ** BigInt(-shift));
}

/** A rate with so many percent added, rounded once to twelve decimals. */
export function withPercent(rate: bigint, percent: bigint): bigint {
  return divideRounded(rate * (100n * scale + percent), 100n * scale);
}

/** The sum of decimals that travel as strings. */
export function sumOfDecimals(amounts: Iterable<string>): string {
  let sum = 0n;
  for (const amount of amounts) sum += decimalOf(amount);
  return decimalText(sum);
}
