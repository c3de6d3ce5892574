import type { ApiKey, Scope } from "#contract/account.ts";
import type { apiKeys } from "#gateway/database/schema.ts";

/** A key as it may be shown: never its secret. */
export function keyView(row: typeof apiKeys.$inferSelect): ApiKey {
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
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
