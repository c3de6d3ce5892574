import type { Price, PriceCreate } from "#contract/operator/prices.ts";

/** The scope of a price, and the account that pays it. */
export interface PriceScope {
  model: string;
  api_type: PriceCreate["api_type"] | null;
  provider: string | null;
  region: Price["region"];
  /** The account that pays this price. Null: the price is the operator's cost. */
  account: string | null;
}

/** The page on which to set the price of a scope. */
export function priceHref(scope: Partial<PriceScope>): string {
  const set = Object.entries(scope).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `/operator/prices/set?${new URLSearchParams(set as [string, string][])}`;
}

export function scopeOf({ model, api_type, provider, region, account_id }: Price): PriceScope {
  return { model, api_type, provider, region, account: account_id };
}

/** `at openrouter, us-virginia`, `anywhere`. */
export function labelPlace({ provider, region }: Pick<PriceScope, "provider" | "region">): string {
  if (!provider && !region) return "Anywhere";
  return [provider ?? "Any provider", region].filter(Boolean).join(", ");
}
