import type { ConnectionRow } from "./read-connections.ts";

/** What the audit log keeps of a provider: everything but its keys. A new key shows by another hint or time. */
export function auditView(row: ConnectionRow, keysChangedAt?: Date): Record<string, unknown> {
  return {
    name: row.name,
    protocol: row.protocol,
    preset: row.preset,
    base_url: row.baseUrl,
    base_urls: row.baseUrls,
    credentials: Object.fromEntries(
      Object.entries(row.credentials).map(([region, { sealed, hint, ref }]) => [
        region,
        ref !== undefined ? { ref } : { has_key: sealed !== undefined, ...(hint && { key_hint: hint }) },
      ]),
    ),
    allow_private: row.allowPrivate,
    settings: row.settings,
    ...(keysChangedAt && { keys_changed_at: keysChangedAt.toISOString() }),
  };
}
