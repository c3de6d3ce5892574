import { onlyKeyName } from "#contract/operator/constants.ts";
import type { StoredCredential, StoredKey } from "#gateway/platform/database/tables/configuration.ts";

/** The keys of a region, at least one. */
export function keysOf({ more = [], ...first }: StoredCredential): StoredKey[] {
  return [{ name: onlyKeyName, ...first }, ...more];
}

/** The first key is stored where the previous release reads its only one. */
export function credentialOf([first, ...more]: readonly StoredKey[]): StoredCredential {
  return { ...first, ...(more.length > 0 && { more }) };
}

export function hasSecret({ sealed, ref }: StoredCredential): boolean {
  return sealed !== undefined || ref !== undefined;
}
