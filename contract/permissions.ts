import type { Scope } from "./account.ts";

/** What a caller may do. Each route that needs a permission names one of these. */
export const permissions = [
  "operations:run",
  "predictions:read",
  "predictions:cancel",
  "uploads:read",
  "uploads:write",
  "endpoints:read",
  "endpoints:manage",
  "endpoints:test",
  "deliveries:read",
  "deliveries:retry",
  "events:listen",
  "usage:read",
  "requests:read",
  "keys:manage",
  "audit:read",
  "attestations:read",
  "attestations:make",
] as const;
export type Permission = (typeof permissions)[number];

/** What each scope of an account key permits. No scope permits attesting, which only a person can do. */
export const scopePermissions: Record<Scope, readonly Permission[]> = {
  inference: ["operations:run"],
  predictions: ["predictions:read", "predictions:cancel"],
  uploads: ["uploads:read", "uploads:write"],
  webhooks: [
    "endpoints:read",
    "endpoints:manage",
    "endpoints:test",
    "deliveries:read",
    "deliveries:retry",
    "events:listen",
  ],
  usage: ["usage:read", "requests:read"],
  keys: ["keys:manage", "audit:read", "attestations:read"],
};

const ofScopes = new Map<string, ReadonlySet<Permission>>();

/** What an account key with these scopes may do; computed once for each set of scopes. */
export function permissionsOfScopes(scopes: readonly Scope[]): ReadonlySet<Permission> {
  const name = scopes.join();
  const known = ofScopes.get(name);
  if (known) return known;
  const granted = new Set(scopes.flatMap((scope) => scopePermissions[scope] ?? []));
  ofScopes.set(name, granted);
  return granted;
}

/** What the owner of an account may do. */
export const ownerPermissions: ReadonlySet<Permission> = new Set(permissions);

/** The scope that permits this to an account key; null when only a signed-in user can do it. */
export function scopeOf(permission: Permission): Scope | null {
  const found = Object.entries(scopePermissions).find(([, granted]) => granted.includes(permission));
  return found ? (found[0] as Scope) : null;
}
