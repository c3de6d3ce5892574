import { componentFor } from "#contract/money/components.ts";
import type { LineFacts } from "#contract/money/conditions.ts";
import type { CostReason, PriceKind } from "#contract/money/constants.ts";
import { amountOf, withPercent } from "#contract/money/decimal.ts";
import type { MarkupInForce, PriceBook, PriceInForce, RunPlace } from "./book.ts";

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
      priced.push({ amount: 0n, priceId: price.id, component: null });
      continue;
    }
    if (!component) return null;
    const rate = markup ? withPercent(component.rate, markup.percent) : component.rate;
    const ofLine = amountOf(rate, line.quantity, component.per);
    amount += ofLine;
    priced.push({ amount: ofLine, priceId: price.id, component: component.at });
  }
  return { amount, lines: priced };
}

const noFacts: LineFacts = {};
