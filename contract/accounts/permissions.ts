import { described, type Permission, type PermissionRow } from "../resources.ts";
import { keyScopes, type Role, roles, type Scope } from "./constants.ts";

export type { Permission };

/**
 * The roles and scopes that have each permission, from the descriptions of the resources. The gateway checks
 * every route with this table. The console shows the table, and disables buttons that the visitor may not
 * use.
 */
const rows = new Map(
  described().flatMap(([, { permissions = {} }]) => Object.entries(permissions)),
) as ReadonlyMap<Permission, PermissionRow>;

export const permissions = [...rows.keys()];

/** The roles with this permission. */
export function rolesWith(permission: Permission): readonly Role[] {
  return rows.get(permission)?.roles ?? [];
}

/** What a permission allows, in words. */
export function labelOfPermission(permission: Permission): string {
  return rows.get(permission)?.label ?? permission;
}

/**
 * The permissions, grouped by the roles that have them. The server sends this list to the browser, which does
 * not load the descriptions of the resources.
 */
export const permissionsByRoles: PermissionsByRoles = [
  ...Map.groupBy(permissions, (permission) => rolesWith(permission).join()),
].map(([names, alike]) => [names.split(",") as Role[], alike]);
export type PermissionsByRoles = readonly (readonly [readonly Role[], readonly Permission[]])[];

const ofRoles = Object.fromEntries(
  roles.map((role) => [
    role,
    new Set(permissions.filter((permission) => rolesWith(permission).includes(role))),
  ]),
) as Record<string, ReadonlySet<Permission>> as Record<Role, ReadonlySet<Permission>>;

/** The permissions of a signed-in member with this role. */
export function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  return ofRoles[role];
}

const ofScopes = new Map<string, ReadonlySet<Permission>>();

/**
 * The permissions of an account key with these scopes. A service key has all permissions of its scopes. A
 * personal key, whose member has `role`, has only those that the member has too. Results are cached.
 */
export function permissionsOfScopes(
  scopes: readonly Scope[],
  role: Role | null = null,
): ReadonlySet<Permission> {
  const name = `${role} ${scopes.join()}`;
  const known = ofScopes.get(name);
  if (known) return known;
  const granted = permissions.filter((permission) =>
    scopesWith(permission).some((scope) => scopes.includes(scope)),
  );
  const permitted = new Set(role ? granted.filter((permission) => ofRoles[role].has(permission)) : granted);
  ofScopes.set(name, permitted);
  return permitted;
}

/** The scope that gives this permission to a key; null if only a signed-in person can have it. */
export function scopeOf(permission: Permission): Scope | null {
  return keyScopes.find((scope) => scopesWith(permission).includes(scope)) ?? null;
}

function scopesWith(permission: Permission): readonly Scope[] {
  return rows.get(permission)?.scopes ?? [];
}
