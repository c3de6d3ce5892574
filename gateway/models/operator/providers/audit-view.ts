import type { StoredKey, StoredSecret } from "#gateway/platform/database/tables/configuration.ts";
import type { ConnectionRow } from "./read-connections.ts";
import { keysOf } from "./stored-keys.ts";

/**
 * The audit log's view of a provider: everything except its keys. A new key is visible as a changed hint or
 * time.
 */
export function auditView(row: ConnectionRow, keysChangedAt?: Date): Record<string, unknown> {
  return {
    name: row.name,
    protocol: row.protocol,
    preset: row.preset,
    base_url: row.baseUrl,
    base_urls: row.baseUrls,
    credentials: Object.fromEntries(
      Object.entries(row.credentials).map(([region, credential]) => [
        region,
        credential.more ? { keys: keysOf(credential).map(keyView) } : secretView(credential),
      ]),
    ),
    allow_private: row.allowPrivate,
    settings: row.settings,
    ...(keysChangedAt && { keys_changed_at: keysChangedAt.toISOString() }),
  };
}

function keyView({ sealed, hint, ref, ...rules }: StoredKey): object {
  return { ...rules, ...secretView({ sealed, hint, ref }) };
}

function secretView({
  sealed,
  hint,
  ref,
}: { [Part in keyof StoredSecret]: StoredSecret[Part] | undefined }): object {
  return ref !== undefined ? { ref } : { has_key: sealed !== undefined, ...(hint && { key_hint: hint }) };
}
