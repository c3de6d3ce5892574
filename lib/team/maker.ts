import type { Maker } from "#contract/accounts/people.ts";
import type { Language } from "../../messages/languages.ts";
import { bracketed } from "../../messages/marks.ts";

/**
 * The creator of a resource: the member, and the key if they used one. Null if the gateway does not name one.
 */
export function makerName(maker: Maker | undefined, language: Language): string | null {
  if (!maker) return null;
  const { user, key } = maker;
  if (user) return key ? bracketed(language, user.name, key.name) : user.name;
  return key?.name ?? null;
}
