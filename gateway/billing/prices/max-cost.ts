import { type LineFacts, mayHold } from "#contract/money/conditions.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import { amountOf, withPercent } from "#contract/money/decimal.ts";
import { componentsOf, type PriceBook, type PriceInForce } from "./book.ts";

/** A provider and region where the run may be sent. */
export interface PossiblePlace {
  provider: string;
  region: string;
  sandbox: boolean;
}

/** A run that has not started. */
export interface RunToPrice {
  accountId: string;
  model: string;
  apiType: string;
  admittedAtMs: number;
  /** All places where the run may be sent; the most expensive one counts. */
  places: readonly PossiblePlace[];
}

/**
 * A maximum quantity and its possible kinds: the most expensive one is used. `facts` omits what is not yet
 * known.
 */
export interface MaxLine {
  kinds: readonly PriceKind[];
  quantity: number;
  facts: LineFacts;
  /** True if the line costs nothing under a price that has no rate for it. */
  isExtra?: boolean;
}

/** The most that a run can cost. */
export interface MaxCost {
  cost: bigint | null;
  charge: bigint | null;
}

/**
 * The most that a run can cost: at the most expensive place, each line at the highest rate that may apply. A
 * side is null if any place has no price.
 */
export function maxCost(book: PriceBook, run: RunToPrice, lines: readonly MaxLine[]): MaxCost {
  if (run.places.length === 0 || (book.isEmpty && run.places.some(({ sandbox }) => !sandbox)))
    return { cost: null, charge: null };
  const most: MaxCost = { cost: 0n, charge: 0n };
  for (const { provider, region, sandbox } of run.places) {
    if (sandbox) continue;
    const place = { model: run.model, apiType: run.apiType, provider, region };
    const price = book.costPrice(place, run.admittedAtMs);
    const own = book.ownPrice(run.accountId, place, run.admittedAtMs);
    const percent = own ? null : (book.markup(run.accountId, run.admittedAtMs)?.percent ?? null);
    most.cost = larger(most.cost, price && dearest(price, lines, null));
    most.charge = larger(
      most.charge,
      own ? dearest(own, lines, null) : price && dearest(price, lines, percent),
    );
  }
  return most;
}

function larger(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return null;
  return a > b ? a : b;
}

function dearest(price: PriceInForce, lines: readonly MaxLine[], percent: bigint | null): bigint | null {
  let sum = 0n;
  for (const { kinds, quantity, facts, isExtra = false } of lines) {
    let ofLine: bigint | null = null;
    for (const kind of kinds) {
      for (const { rate, per, when } of componentsOf(price, kind)) {
        if (when !== null && !mayHold(when, facts)) continue;
        const amount = amountOf(percent === null ? rate : withPercent(rate, percent), quantity, per);
        if (ofLine === null || amount > ofLine) ofLine = amount;
      }
    }
    if (ofLine === null && !isExtra) return null;
    sum += ofLine ?? 0n;
  }
  return sum;
}
