import type { ApiKey, Quantities, Scope } from "#contract/keys.ts";
import type { Queries } from "#gateway/database/database.ts";
import type { apiKeys } from "#gateway/database/schema.ts";
import { usedOf } from "#gateway/usage/used-this-month.ts";
import { type People, readPeople } from "../people.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

/** The public views of keys, without their secrets. `used` is this month's usage by key id. */
export async function keyViews(
  queries: Queries,
  rows: readonly KeyRow[],
  used: ReadonlyMap<string, Quantities> = new Map(),
): Promise<ApiKey[]> {
  const people = await readPeople(
    queries,
    rows.flatMap((row) => [row.userId, row.answeredBy, row.createdBy]),
  );
  return rows.map((row) => keyView(row, people, used.get(row.id)));
}

function keyView(row: KeyRow, people: People, used: Quantities = {}): ApiKey {
  return {
    id: row.id,
    object: "api_key",
    name: row.name,
    kind: row.userId === null ? "service" : "personal",
    member: people.find(row.userId),
    answered_by: people.find(row.answeredBy),
    created_by: people.find(row.createdBy),
    hint: row.hint,
    scopes: row.scopes as Scope[],
    models: row.models,
    regions: row.regions,
    requests_per_minute: row.requestsPerMinute,
    max_concurrency: row.maxConcurrency,
    monthly_budget: row.monthlyBudget,
    used_this_month: usedOf(row.monthlyBudget, used),
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
