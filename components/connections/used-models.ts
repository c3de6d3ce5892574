import type { UsageRow } from "#contract/usage.ts";

export interface UsedModel {
  id: string;
  model: string;
  unit: string;
  quantity: number;
  requests: number;
}

/** What was used of each model, the most runs first. */
export function usedModels(rows: readonly UsageRow[]): UsedModel[] {
  const sums = new Map<string, UsedModel>();
  for (const { model = "", unit, quantity, requests } of rows) {
    const id = `${model} ${unit}`;
    const sum = sums.get(id) ?? { id, model, unit, quantity: 0, requests: 0 };
    sums.set(id, { ...sum, quantity: sum.quantity + quantity, requests: sum.requests + requests });
  }
  return [...sums.values()].sort((one, other) => other.requests - one.requests);
}
