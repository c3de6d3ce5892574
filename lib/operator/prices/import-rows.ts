import type { ApiType } from "#contract/catalog-constants.ts";
import { componentsProblem } from "#contract/money/components.ts";
import { priceLimits } from "#contract/money/constants.ts";
import type { Price, PriceComponent, PriceCreate } from "#contract/operator/prices.ts";
import type { Words } from "../../../messages/words.ts";
import type { MappedOperation } from "../route-entry.ts";
import type { ListedPrice } from "./price-list.ts";

/** An entry of a price list for an operation at a provider, which the user accepts or rejects. */
export interface ImportRow {
  target: PriceTarget;
  candidates: readonly ListedPrice[];
  /** Index of the chosen candidate. */
  candidate: number;
  before: Price | null;
  change: Change;
  /** Why the gateway would refuse the row. Other rows are still imported. */
  problem: string | null;
  chosen: boolean;
}

/** One row for each mapped operation in the list. New and changed prices come first and are selected. */
export function importRows(
  t: Words<"prices">,
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
      withCandidate(t, { target, candidates, before: priceOf(target, prices) }, 0),
    )
    .toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
}

/**
 * The row with another entry of the list. It is not selected if the prices file would override it or nothing
 * would change.
 */
export function withCandidate(
  t: Words<"prices">,
  row: Pick<ImportRow, "target" | "candidates" | "before">,
  candidate: number,
): ImportRow {
  const { target, candidates, before } = row;
  const components = candidates[candidate]?.components ?? [];
  const change = changeOf(before, components);
  const problem = problemOf(t, components);
  const isOfFile = before?.managed_by === "file";
  const chosen = components.length > 0 && change !== "same" && !isOfFile && problem === null;
  return { target, candidates, before, candidate, change, problem, chosen };
}

function problemOf(t: Words<"prices">, components: readonly PriceComponent[]): string | null {
  if (components.length > priceLimits.components)
    return t("tooManyRates", { count: components.length, max: priceLimits.components });
  return componentsProblem(components)?.words ?? null;
}

/** The prices of the selected rows, each for its provider only. */
export function pricesOf(rows: readonly ImportRow[]): (PriceCreate & { components: PriceComponent[] })[] {
  return rows.flatMap(({ target, candidates, candidate, chosen }) => {
    const listed = candidates[candidate];
    if (!chosen || !listed || listed.components.length === 0) return [];
    const { model, api_type, provider } = target;
    return [{ model, api_type, provider, components: listed.components }];
  });
}

/** An operation that a route sends to a provider. */
export interface PriceTarget {
  model: string;
  api_type: ApiType;
  provider: string;
  upstream_model: string;
  /** The preset of the provider, such as `openrouter`. */
  preset: string | null;
}

/** The list's entries for a target. */
export interface Proposal {
  target: PriceTarget;
  /** Candidates, the best match first. */
  candidates: readonly ListedPrice[];
}

export type Change = "new" | "changed" | "same";

/**
 * Finds the list's entries for each target by the name of its upstream model. Targets without one are
 * skipped.
 */
export function proposalsFor(targets: readonly PriceTarget[], prices: readonly ListedPrice[]): Proposal[] {
  const byName = new Map<string, ListedPrice[]>();
  for (const price of prices)
    for (const name of namesOf(price.name))
      byName.set(name, [...(byName.get(name) ?? []), price].slice(0, maxCandidates));
  return targets.flatMap((target) => {
    const found = byName.get(target.upstream_model.toLowerCase()) ?? [];
    const candidates = found
      .filter(({ apiType }) => apiType === null || apiType === target.api_type)
      .toSorted((one, other) => fitness(other, target) - fitness(one, target));
    return candidates.length > 0 ? [{ target, candidates }] : [];
  });
}

/** Most entries to choose from: many resellers name the same model. */
const maxCandidates = 50;
/** `provider/owner/model`: further slashes belong to the name. */
const maxPrefixes = 4;

/** The name, and the name without its leading folders, which often name the reseller. */
function namesOf(name: string): string[] {
  const names = [name.toLowerCase()];
  for (let prefix = 0; prefix < maxPrefixes; prefix += 1) {
    const rest = names.at(-1) ?? "";
    const slash = rest.indexOf("/");
    if (slash < 0 || slash === rest.length - 1) break;
    names.push(rest.slice(slash + 1));
  }
  return names;
}

function fitness(
  { name, provider }: ListedPrice,
  { upstream_model, provider: connection, preset }: PriceTarget,
): number {
  const seller = wordOf(provider ?? "");
  const isSeller = [connection, preset ?? ""].some((own) => own !== "" && wordOf(own) === seller);
  return (isSeller ? 2 : 0) + (name.toLowerCase() === upstream_model.toLowerCase() ? 1 : 0);
}

/** `Fireworks AI`, `fireworks_ai` and `fireworks-ai` are the same provider. */
function wordOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The current price of a target: its provider's price, otherwise the one for any provider. */
export function priceOf(target: PriceTarget, prices: readonly Price[]): Price | null {
  const fitting = prices.filter(
    ({ model, api_type, account_id, region, status, provider }) =>
      model === target.model &&
      api_type === target.api_type &&
      account_id === null &&
      region === null &&
      status === "in_force" &&
      (provider === null || provider === target.provider),
  );
  return fitting.find(({ provider }) => provider !== null) ?? fitting[0] ?? null;
}

/** Whether the list differs from the current price. */
export function changeOf(before: Price | null, components: readonly PriceComponent[]): Change {
  if (!before || before.components.length === 0) return "new";
  const written = (list: readonly PriceComponent[]) => list.map(keyOf).toSorted().join("\n");
  return written(before.components) === written(components) ? "same" : "changed";
}

function keyOf({ kind, per, rate, when = {} }: PriceComponent): string {
  const conditions = Object.entries(when).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([kind, per, rate, conditions]);
}
