import type { Scope } from "./key-constants.ts";
import { type Role, roles } from "./roles.ts";

/** Who may do what. The gateway checks every route by it, the console shows it and its buttons follow it. */
const permissionRoles = {
  "operations:run": ["owner", "admin", "member"],
  "predictions:cancel": ["owner", "admin", "member"],
  "uploads:write": ["owner", "admin", "member"],
  /** Everybody's: presets are the account's. */
  "presets:write": ["owner", "admin", "member"],
  /** Everybody's, as presets. */
  "conversations:write": ["owner", "admin", "member"],
  /** To make links to outputs for people without an account, to see and to revoke them. */
  "outputs:share": ["owner", "admin", "member"],
  /** To keep files that runs made in the account's library, and to remove them from it. */
  "outputs:keep": ["owner", "admin", "member"],
  /** To leave notes on predictions, to change and delete one's own. Who reads a prediction reads its notes. */
  "predictions:note": ["owner", "admin", "member"],
  "events:listen": ["owner", "admin", "member"],
  /** One's own personal keys. */
  "keys:own": ["owner", "admin", "member"],
  /** One's own connections of agents: to consent to one, to see and to end it. No key may. */
  "connections:own": ["owner", "admin", "member"],

  /** Media included. */
  "predictions:read": ["owner", "admin", "member", "viewer"],
  "uploads:read": ["owner", "admin", "member", "viewer"],
  "aliases:read": ["owner", "admin", "member", "viewer"],
  "presets:read": ["owner", "admin", "member", "viewer"],
  "conversations:read": ["owner", "admin", "member", "viewer"],
  "endpoints:read": ["owner", "admin", "member", "viewer"],
  "deliveries:read": ["owner", "admin", "member", "viewer"],
  /** Destinations, and the log of what was copied to them. */
  "copies:read": ["owner", "admin", "member", "viewer"],
  "requests:read": ["owner", "admin", "member", "viewer"],
  "attestations:read": ["owner", "admin", "member", "viewer"],
  "members:read": ["owner", "admin", "member", "viewer"],

  "deliveries:retry": ["owner", "admin", "member"],
  /** As `predictions:note`. */
  "deliveries:note": ["owner", "admin", "member"],
  /** To copy an output to a destination, again too. */
  "copies:make": ["owner", "admin", "member"],
  "endpoints:test": ["owner", "admin", "member"],

  "endpoints:manage": ["owner", "admin"],
  /** To read the secret that signs callbacks. */
  "callbacks:secret": ["owner", "admin"],
  /** The buckets that outputs are copied to. */
  "destinations:manage": ["owner", "admin"],
  /** Service keys, everybody's personal keys, and the budgets of keys and members. */
  "keys:manage": ["owner", "admin"],

  /** Which models a name stands for. */
  "aliases:manage": ["owner", "admin"],

  "attestations:make": ["owner", "admin", "member"],
  /** To answer for service keys by one's own attestations. */
  "attestations:answer": ["owner", "admin"],

  /** Members up to one's own role, and invitations. */
  "members:manage": ["owner", "admin"],
  "audit:read": ["owner", "admin"],

  /** One's own; a service key reads the account's. Each shows what the role may know. */
  "notices:read": ["owner", "admin", "member", "viewer", "billing"],
  /** The incoming webhooks that an account's notices are posted to. */
  "notices:manage": ["owner", "admin"],
  /** What the account may spend in all. Of keys and members it is part of managing them. */
  "budgets:manage": ["owner", "admin"],

  "usage:read": ["owner", "admin", "viewer", "billing"],
  "usage:own": ["owner", "admin", "member", "viewer", "billing"],

  /** The account's name and sign-in rules, its owners, and its deletion. */
  "account:manage": ["owner"],
} as const satisfies Record<string, readonly Role[]>;

/** What a caller may do. Each route that needs a permission names one of these. */
export type Permission = keyof typeof permissionRoles;
export const permissions = Object.keys(permissionRoles) as Permission[];

/** What each scope of an account key permits. What no scope permits only a person can do. */
export const scopePermissions: Record<Scope, readonly Permission[]> = {
  inference: ["operations:run", "aliases:read"],
  predictions: [
    "predictions:read",
    "predictions:cancel",
    "presets:read",
    "presets:write",
    "conversations:read",
    "conversations:write",
    "outputs:share",
    "outputs:keep",
    "predictions:note",
    "copies:read",
    "copies:make",
  ],
  uploads: ["uploads:read", "uploads:write"],
  webhooks: [
    "endpoints:read",
    "endpoints:manage",
    "endpoints:test",
    "callbacks:secret",
    "deliveries:read",
    "deliveries:retry",
    "deliveries:note",
    "events:listen",
    "destinations:manage",
    "copies:read",
  ],
  usage: ["usage:read", "usage:own", "requests:read"],
  keys: [
    "keys:own",
    "keys:manage",
    "aliases:read",
    "aliases:manage",
    "audit:read",
    "attestations:read",
    "members:read",
    "notices:read",
    "notices:manage",
  ],
  /** Nothing in the account: it runs the instance. */
  operator: [],
};

/** The roles that may do this. */
export function rolesWith(permission: Permission): readonly Role[] {
  return permissionRoles[permission];
}

const ofRoles = Object.fromEntries(
  roles.map((role) => [
    role,
    new Set(permissions.filter((permission) => rolesWith(permission).includes(role))),
  ]),
) as Record<string, ReadonlySet<Permission>> as Record<Role, ReadonlySet<Permission>>;

/** What a signed-in member with this role may do. */
export function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  return ofRoles[role];
}

const ofScopes = new Map<string, ReadonlySet<Permission>>();

/**
 * What an account key with these scopes may do: a service key all that they permit, a personal key (`role` is that of its
 * member) only what its member may do too. Computed once for each.
 */
export function permissionsOfScopes(
  scopes: readonly Scope[],
  role: Role | null = null,
): ReadonlySet<Permission> {
  const name = `${role} ${scopes.join()}`;
  const known = ofScopes.get(name);
  if (known) return known;
  const granted = scopes.flatMap((scope) => scopePermissions[scope] ?? []);
  const permitted = new Set(role ? granted.filter((permission) => ofRoles[role].has(permission)) : granted);
  ofScopes.set(name, permitted);
  return permitted;
}

/** The scope that permits this to an account key; null when only a signed-in person can do it. */
export function scopeOf(permission: Permission): Scope | null {
  const found = Object.entries(scopePermissions).find(([, granted]) => granted.includes(permission));
  return found ? (found[0] as Scope) : null;
}
