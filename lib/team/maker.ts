import type { Maker } from "#contract/accounts/people.ts";

/** Who made something, in words: a member, with the key if it was one of theirs. Null where the gateway does not say. */
export function makerName(maker: Maker | undefined): string | null {
  if (!maker) return null;
  const { user, key } = maker;
  if (user) return key ? `${user.name} (${key.name})` : user.name;
  return key?.name ?? null;
}
