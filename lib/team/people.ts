import type { Role } from "#contract/accounts/constants.ts";
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

export const roleLabels: Record<Role, string> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  viewer: "Viewer",
  billing: "Billing",
};

/** The rights of each role, in one line. */
export const roleMeanings: Record<Role, string> = {
  owner: "Everything. Only owners appoint owners and delete the account.",
  admin: "Everything except the account itself and its owners: members, service keys, endpoints, budgets.",
  member: "Runs operations, uploads files, retries deliveries, and has personal keys.",
  viewer: "Sees predictions, media, deliveries and usage, and changes nothing.",
  billing: "Sees usage only: no prompts, no media.",
};
