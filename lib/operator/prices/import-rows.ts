import { componentsProblem } from "#contract/money/components.ts";
import { priceLimits } from "#contract/money/constants.ts";
import type { Price, PriceComponent, PriceCreate } from "#contract/operator/prices.ts";
import type { MappedOperation } from "../route-entry.ts";
import { type Change, changeOf, type PriceTarget, priceOf, proposalsFor } from "./match-prices.ts";
import type { ListedPrice } from "./price-list.ts";

/** An entry of a price list for an operation at a provider, to accept or reject. */
export interface ImportRow {
  target: PriceTarget;
  candidates: readonly ListedPrice[];
  /** Index of the chosen candidate. */
  candidate: number;
  before: Price | null;
  change: Change;
  /** Why the gateway would refuse it; the other rows are still imported. */
  problem: string | null;
  chosen: boolean;
}

/** One row for each mapped operation in the list: new and changed prices come first and are chosen. */
export function importRows(
  list: readonly ListedPrice[],
  operations: readonly MappedOperation[],
  presets: Readonly<Record<string, string | null>>,
  prices: readonly Price[],
): ImportRow[] {
  const presetOf = new Map(Object.entries(presets));
  const targets = operations.flatMap(({ model, apiType, chain }) =>
    chain.map(({ provider, upstreamModel }) => ({
      model,
      api_type: apiType,
      provider,
      upstream_model: upstreamModel,
      preset: presetOf.get(provider) ?? null,
    })),
  );
  const unique = [
    ...new Map(
      targets.map((target) => [`${target.api_type} ${target.model} ${target.provider}`, target]),
    ).values(),
  ];
  const order: readonly Change[] = ["new", "changed", "same"];
  return proposalsFor(unique, list)
    .map(({ target, candidates }) =>
      withCandidate({ target, candidates, before: priceOf(target, prices) }, 0),
    )
    .toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
}

/**
 * The row with another entry of the list. It is not chosen if the prices file would override it or nothing
 * would change.
 */
export function withCandidate(
  row: Pick<ImportRow, "target" | "candidates" | "before">,
  candidate: number,
): ImportRow {
  const { target, candidates, before } = row;
  const components = candidates[candidate]?.components ?? [];
  const change = changeOf(before, components);
  const problem = problemOf(components);
  const isOfFile = before?.managed_by === "file";
  const chosen = components.length > 0 && change !== "same" && !isOfFile && problem === null;
  return { target, candidates, before, candidate, change, problem, chosen };
}

function problemOf(components: readonly PriceComponent[]): string | null {
  if (components.length > priceLimits.components)
    return `It has ${components.length} rates; a price has at most ${priceLimits.components}.`;
  return componentsProblem(components)?.words ?? null;
}

/** The prices of the chosen rows, each for its own provider only. */
export function pricesOf(rows: readonly ImportRow[]): (PriceCreate & { components: PriceComponent[] })[] {
  return rows.flatMap(({ target, candidates, candidate, chosen }) => {
    const listed = candidates[candidate];
    if (!chosen || !listed || listed.components.length === 0) return [];
    const { model, api_type, provider } = target;
    return [{ model, api_type, provider, components: listed.components }];
  });
}
