/** The roles of members, most powerful first. */
export const roles = ["owner", "admin", "member", "viewer", "billing"] as const;
export type Role = (typeof roles)[number];

/** Whether a person with the role `own` may give or remove the role `other`: never one above their own. */
export function reachesRole(own: Role, other: Role): boolean {
  return roles.indexOf(own) <= roles.indexOf(other);
}
