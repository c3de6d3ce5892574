import type { Maker } from "#contract/accounts/people.ts";

/** Who made something: the member, and the key if one was used. Null if the gateway does not say. */
export function makerName(maker: Maker | undefined): string | null {
  if (!maker) return null;
  const { user, key } = maker;
  if (user) return key ? `${user.name} (${key.name})` : user.name;
  return key?.name ?? null;
}
