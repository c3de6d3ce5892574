import type { ApiType } from "#contract/catalog-constants.ts";
import { type PriceKind, unitOfKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import { parseDecimal } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { plainDecimal } from "../../written-amount.ts";

/** A price in a public price list. */
export interface ListedPrice {
  /** The list's name of the model, without size or quality. */
  name: string;
  /** The provider in the list. Null if the list names none. */
  provider: string | null;
  /** Null: the list names no operation, or Gatehouse does not have it. */
  apiType: ApiType | null;
  components: PriceComponent[];
  notUnderstood: NotUnderstood[];
}

/** A field of the list that is not imported, and the reason. */
export interface NotUnderstood {
  field: string;
  value: string;
  reason: string;
}

/** The usual number of units of a rate, as a power of ten. */
export const defaultDigits = {
  token: 6,
  character: 6,
  second: 0,
  image: 0,
  operation: 0,
  search: 0,
} as const;

/**
 * Converts a rate per unit to a component for the usual number of units, digit by digit. Null if the rate is
 * negative or has more decimals than an amount.
 */
export function componentOf(
  kind: PriceKind,
  perOne: string,
  when: PriceCondition = {},
): PriceComponent | null {
  const digits = defaultDigits[unitOfKind[kind]];
  const rate = plainDecimal(perOne, digits);
  if (rate === null || rate.startsWith("-") || parseDecimal(rate) === null) return null;
  return { kind, per: 10 ** digits, rate, ...(Object.keys(when).length > 0 && { when }) };
}

/** A value of a list, shortened for display. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
