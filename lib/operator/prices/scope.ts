import type { Price, PriceCreate } from "#contract/operator/prices.ts";
import type { Words } from "../../../messages/words.ts";
import { listText } from "../../words/list-text.ts";
import type { MappedOperation } from "../route-entry.ts";

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
export function labelPlace(
  t: Words<"prices">,
  { provider, region }: Pick<PriceScope, "provider" | "region">,
): string {
  if (!provider && !region) return t("anywhere");
  return listText(t.language, [provider ?? t("anyProvider"), region], "plain");
}

/** An operation with at least one provider that has no price. */
export interface UnpricedOperation {
  model: string;
  apiType: MappedOperation["apiType"];
  providers: string[];
}

/** Operations that are mapped to a provider without a current cost price there, over all regions. */
export function unpricedOperations(
  operations: readonly MappedOperation[],
  prices: readonly Price[],
): UnpricedOperation[] {
  const held = prices.filter(
    ({ status, account_id, components }) =>
      status === "in_force" && account_id === null && components.length > 0,
  );
  const byOperation = Map.groupBy(held, ({ model, api_type }) => `${api_type} ${model}`);
  return operations.flatMap(({ model, apiType, chain }) => {
    const own = byOperation.get(`${apiType} ${model}`) ?? [];
    const isPriced = (provider: string, regions: readonly string[]) =>
      regions.every((region) =>
        own.some(
          (price) =>
            (price.provider === null || price.provider === provider) &&
            (price.region === null || price.region === region),
        ),
      );
    const lacking = chain.filter(({ provider, regions }) => !isPriced(provider, regions));
    const providers = [...new Set(lacking.map(({ provider }) => provider))];
    return providers.length > 0 ? [{ model, apiType, providers }] : [];
  });
}
