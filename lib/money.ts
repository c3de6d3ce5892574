import { decimalOf, decimalPlaces, decimalText, divideRounded } from "#contract/money/decimal.ts";

/** From this amount on, fractions of a cent no longer matter. */
const large = 100n * 10n ** BigInt(decimalPlaces);
const decimals = { small: 6, large: 2 } as const;

/** A rounded amount for reading: `0.0042`, `1,234.57`. Show the exact amount beside it. */
export function formatAmount(amount: string): string {
  const value = decimalOf(amount);
  const size = value < 0n ? -value : value;
  const places = size >= large ? decimals.large : decimals.small;
  const unit = 10n ** BigInt(decimalPlaces - places);
  const rounded = divideRounded(value, unit) * unit;
  if (rounded === 0n && value !== 0n) return value < 0n ? "> -0.000001" : "< 0.000001";
  return grouped(decimalText(rounded, 2));
}

/** A decimal with its thousands apart: `25,000.5`. */
export function grouped(decimal: string): string {
  const [whole = "0", ...fraction] = decimal.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...fraction].join(".");
}

/** `0.0042 USD`. */
export function formatMoney(amount: string, currency: string): string {
  return `${formatAmount(amount)} ${currency}`;
}
