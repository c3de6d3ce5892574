import type { Scope } from "./key-constants.ts";
import { type Role, roles } from "./roles.ts";

/**
 * The roles that have each permission. The gateway checks every route with it; the console shows it and
 * enables its buttons by it.
 */
const permissionRoles = {
  "operations:run": ["owner", "admin", "member"],
  "predictions:cancel": ["owner", "admin", "member"],
  "uploads:write": ["owner", "admin", "member"],
  /** Presets belong to the account, so this covers everyone's. */
  "presets:write": ["owner", "admin", "member"],
  /** Also everyone's, like presets. */
  "conversations:write": ["owner", "admin", "member"],
  /** Create, see and revoke links to outputs for people without an account. */
  "outputs:share": ["owner", "admin", "member"],
  /** Keep files of runs in the account's library, and remove them from it. */
  "outputs:keep": ["owner", "admin", "member"],
  /**
   * Leave notes on predictions, and change and delete their own. Everyone who can read a prediction can read
   * its notes.
   */
  "predictions:note": ["owner", "admin", "member"],
  "events:listen": ["owner", "admin", "member"],
  /** Their own personal keys. */
  "keys:own": ["owner", "admin", "member"],
  /** Consent to, see and end their own connections of agents. No key can do this. */
  "connections:own": ["owner", "admin", "member"],

  /** Including the media. */
  "predictions:read": ["owner", "admin", "member", "viewer"],
  "uploads:read": ["owner", "admin", "member", "viewer"],
  "aliases:read": ["owner", "admin", "member", "viewer"],
  "presets:read": ["owner", "admin", "member", "viewer"],
  "conversations:read": ["owner", "admin", "member", "viewer"],
  "endpoints:read": ["owner", "admin", "member", "viewer"],
  "deliveries:read": ["owner", "admin", "member", "viewer"],
  /** Destinations, and the log of copies. */
  "copies:read": ["owner", "admin", "member", "viewer"],
  "requests:read": ["owner", "admin", "member", "viewer"],
  "attestations:read": ["owner", "admin", "member", "viewer"],
  "members:read": ["owner", "admin", "member", "viewer"],

  "deliveries:retry": ["owner", "admin", "member"],
  /** Like `predictions:note`. */
  "deliveries:note": ["owner", "admin", "member"],
  /** Copy an output to a destination, and retry copies. */
  "copies:make": ["owner", "admin", "member"],
  "endpoints:test": ["owner", "admin", "member"],

  "endpoints:manage": ["owner", "admin"],
  /** To read the secret that signs callbacks. */
  "callbacks:secret": ["owner", "admin"],
  /** The buckets that outputs are copied to. */
  "destinations:manage": ["owner", "admin"],
  /** Service keys, everyone's personal keys, and the budgets of keys and members. */
  "keys:manage": ["owner", "admin"],

  /** The models behind an alias. */
  "aliases:manage": ["owner", "admin"],

  "attestations:make": ["owner", "admin", "member"],
  /** Take responsibility for service keys with their own attestations. */
  "attestations:answer": ["owner", "admin"],

  /** Members up to their own role, and invitations. */
  "members:manage": ["owner", "admin"],
  "audit:read": ["owner", "admin"],

  /** Their own; a service key reads the account's. Each list has only what the role may know. */
  "notices:read": ["owner", "admin", "member", "viewer", "billing"],
  /** The incoming webhooks that receive an account's notices. */
  "notices:manage": ["owner", "admin"],
  /** The account's total budget. Budgets of keys and members belong to managing those. */
  "budgets:manage": ["owner", "admin"],

  "usage:read": ["owner", "admin", "viewer", "billing"],
  "usage:own": ["owner", "admin", "member", "viewer", "billing"],

  /** The account's name, sign-in rules, owners, and deletion. */
  "account:manage": ["owner"],
} as const satisfies Record<string, readonly Role[]>;

/** Each route that needs a permission names one of these. */
export type Permission = keyof typeof permissionRoles;
export const permissions = Object.keys(permissionRoles) as Permission[];

/** The permissions that each scope gives to an account key. Permissions in no scope are only for people. */
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
  /** Nothing in the account; it administers the installation. */
  operator: [],
};

/** The roles with this permission. */
export function rolesWith(permission: Permission): readonly Role[] {
  return permissionRoles[permission];
}

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
 * The permissions of an account key with these scopes. A service key has all of them; a personal key (`role`
 * is its member's) only those that the member has too. Cached.
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

/** The scope that gives this permission to a key; null if only a signed-in person can have it. */
export function scopeOf(permission: Permission): Scope | null {
  const found = Object.entries(scopePermissions).find(([, granted]) => granted.includes(permission));
  return found ? (found[0] as Scope) : null;
}
