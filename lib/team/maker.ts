import type { Maker } from "#contract/accounts/people.ts";

/**
 * The creator of a resource: the member, and the key if they used one. Null if the gateway does not name one.
 */
export function makerName(maker: Maker | undefined): string | null {
  if (!maker) return null;
  const { user, key } = maker;
  if (user) return key ? `${user.name} (${key.name})` : user.name;
  return key?.name ?? null;
}
