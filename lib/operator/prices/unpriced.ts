import type { Price } from "#contract/operator/prices.ts";
import type { MappedOperation } from "../route-entry.ts";

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
