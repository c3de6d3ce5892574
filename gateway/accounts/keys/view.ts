import type { ApiKey, MonthlyBudget, Quantities, Scope } from "#contract/account.ts";
import type { apiKeys } from "#gateway/database/schema.ts";

/** The public view of a key, without its secret. `used` is this month's usage. */
export function keyView(row: typeof apiKeys.$inferSelect, used: Quantities = {}): ApiKey {
  return {
    id: row.id,
    object: "api_key",
    name: row.name,
    hint: row.hint,
    scopes: row.scopes as Scope[],
    models: row.models,
    regions: row.regions,
    requests_per_minute: row.requestsPerMinute,
    max_concurrency: row.maxConcurrency,
    monthly_budget: row.monthlyBudget,
    used_this_month: usedOf(row.monthlyBudget ?? {}, used),
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** `used` of the units that have a budget. */
function usedOf(budget: Partial<MonthlyBudget>, used: Quantities): Quantities {
  const units = Object.keys(budget) as (keyof MonthlyBudget)[];
  return Object.fromEntries(units.map((unit) => [unit, used[unit] ?? 0]));
}
