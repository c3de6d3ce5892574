import type { ApiKey } from "#contract/accounts/keys.ts";
import { listKeys } from "#gateway/access/accounts/keys/list.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { fromList, type Group } from "../group.ts";

/** Of those that the caller sees in the list of keys: all, or their own. */
export const keyGroup: Group = {
  kind: "key",
  permission: "keys:own",
  find: async (context, actor, sought) =>
    fromList(await listKeys(context, actor, sought), (key) => ({
      id: key.id,
      kind: "key",
      name: key.name,
      about: key.hint,
      ...lastOf(key),
    })),
};

function lastOf({ revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt }: ApiKey) {
  if (revokedAt !== null) return { state: "revoked", at: revokedAt };
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now()) return { state: "expired", at: expiresAt };
  return { state: usedAt === null ? "unused" : "used", at: usedAt };
}
