import { type Component, componentFor, type LineFacts, mayHold } from "#contract/money/components.ts";
import type { CostReason, PriceKind } from "#contract/money/constants.ts";
import type { Cost } from "#contract/money/cost.ts";
import { amountOf, decimalOf, decimalText, withPercent } from "#contract/money/decimal.ts";
import {
  componentsOf,
  type MarkupInForce,
  type PriceBook,
  type PriceInForce,
  type RunPlace,
} from "./book.ts";

/** The facts that a price depends on, in addition to the lines. */
export interface RunFacts extends RunPlace {
  accountId: string;
  /** The time in the run's id: the prices at that time apply, whenever the run ends. */
  admittedAtMs: number;
  /** True for a run on the sandbox, which is free. */
  sandbox: boolean;
}

export interface CountedLine {
  priceKind: PriceKind;
  quantity: number;
  facts: LineFacts | null;
  /**
   * True for a line that costs nothing if the price has no rate for it; other lines without a rate leave the
   * run without a price.
   */
  isExtra?: boolean;
}

/** One side of a line: the operator's cost, or the account's charge. */
export interface PricedLine {
  amount: bigint;
  priceId: string;
  /** The index of the component in that price; null: an extra for which it has no rate. */
  component: number | null;
  /** For tokens that a cache read or wrote: what they would have cost as ordinary input, less the amount. */
  saved: bigint | null;
}

/**
 * One side of a run. Each line is rounded once, so that they add up to the amount; null: the run is not
 * priced, and neither is any of its lines.
 */
export interface PricedSide {
  amount: bigint;
  lines: readonly PricedLine[];
}

/** The operator's cost and the account's charge for a run. */
export interface Priced {
  cost: PricedSide | null;
  charge: PricedSide | null;
  /**
   * The markup that `charge` includes; the charge's lines then refer to cost prices. Null: there is no
   * markup, or the account has its own price.
   */
  markupId: string | null;
  reason: CostReason | null;
}

const nothing: PricedSide = { amount: 0n, lines: [] };

const freeRun: Priced = { cost: nothing, charge: nothing, markupId: null, reason: "sandbox" };

/** The cost of a run whose usage the provider does not bill. */
export const unbilledRun: Priced = { ...freeRun, reason: "nothing_billed" };

const notPriced: Priced = { cost: null, charge: null, markupId: null, reason: "not_priced" };

/**
 * The cost of a run's lines at the prices of the time of its admission. A side is priced completely or not at
 * all: one line without a rate leaves the run without a price, because a partial sum would look complete.
 */
export function priceLines(book: PriceBook, run: RunFacts, lines: readonly CountedLine[]): Priced {
  if (run.sandbox) return freeRun;
  if (book.isEmpty || lines.length === 0) return notPriced;
  const { accountId, admittedAtMs } = run;
  const price = book.costPrice(run, admittedAtMs);
  const own = book.ownPrice(accountId, run, admittedAtMs);
  if (!price && !own) return notPriced;
  const cost = price && sideOf(price, lines, null);
  const markup = own ? null : book.markup(accountId, admittedAtMs);
  const charge = own ? sideOf(own, lines, null) : markup && price ? sideOf(price, lines, markup) : cost;
  return { cost, charge, markupId: markup?.id ?? null, reason: charge ? null : "not_priced" };
}

function sideOf(
  price: PriceInForce,
  lines: readonly CountedLine[],
  markup: MarkupInForce | null,
): PricedSide | null {
  const priced: PricedLine[] = [];
  let amount = 0n;
  for (const line of lines) {
    const component = componentFor(price.components, line.priceKind, line.facts ?? noFacts);
    if (!component && line.isExtra) {
      priced.push({ amount: 0n, priceId: price.id, component: null, saved: null });
      continue;
    }
    if (!component) return null;
    const amountBy = ({ rate, per }: Component) =>
      amountOf(markup ? withPercent(rate, markup.percent) : rate, line.quantity, per);
    const ofLine = amountBy(component);
    amount += ofLine;
    const full = cacheKinds.includes(line.priceKind)
      ? componentFor(price.components, "input_token", line.facts ?? noFacts)
      : null;
    const saved = full && amountBy(full) - ofLine;
    priced.push({ amount: ofLine, priceId: price.id, component: component.at, saved });
  }
  return { amount, lines: priced };
}

const noFacts: LineFacts = {};

/** The kinds of input tokens whose rate differs because a provider's cache reads or writes them. */
const cacheKinds: readonly PriceKind[] = ["cached_input_token", "cache_write_token", "cache_write_1h_token"];

/** A provider and region where the run may be sent. */
export interface PossiblePlace {
  provider: string;
  region: string;
  sandbox: boolean;
}

/** A run that has not started. */
interface RunToPrice {
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
interface MaxCost {
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

/** The minimum number of decimals in a header. */
const headerDecimals = 6;

/** The stored form of the account's charge. */
export interface KeptCharge {
  charge: string | null;
  chargeReason: CostReason | null;
}

/** The account's charge for a run with usage. */
export function keptCharge({ charge, reason }: Priced): KeptCharge {
  return { charge: charge && decimalText(charge.amount), chargeReason: reason };
}

/** For a run that failed or was canceled before its upstream reported billed usage. */
export const nothingBilled: KeptCharge = { charge: "0", chargeReason: "nothing_billed" };

/**
 * A charge in the form of answers; null for anything that has not ended, is not a run, or ran in an earlier
 * release.
 */
export function costView({ charge, chargeReason }: KeptCharge, currency: string): Cost | null {
  if (charge === null && chargeReason === null) return null;
  return { amount: charge === null ? null : decimalText(decimalOf(charge)), currency, reason: chargeReason };
}

/** The account's charge for a run that has just ended. */
export function costOf({ charge, reason }: Priced, currency: string): Cost {
  return { amount: charge && decimalText(charge.amount), currency, reason };
}

/** `x-svc-cost`: `0.012300 USD`; null: not priced. */
export function costHeader({ charge }: Priced, currency: string): string | null {
  return charge && `${decimalText(charge.amount, headerDecimals)} ${currency}`;
}
