import { expect, it } from "vitest";
import { keyScopes, reachesRole, roles, scopes } from "./constants.ts";
import { permissions, permissionsOfRole, permissionsOfScopes, rolesWith, scopeOf } from "./permissions.ts";

const forPeople = [
  "reports:read",
  "reports:write",
  "views:read",
  "views:write",
  "views:share",
  "key_rules:read",
  "key_rules:write",
  "connections:own",
  "account:manage",
  "budgets:manage",
  "members:manage",
  "attestations:make",
  "attestations:answer",
];

it("every permission belongs to a scope, except those that only a person can have, and a key with all scopes has all the others", () => {
  expect(permissions.filter((permission) => scopeOf(permission) === null)).toEqual(forPeople);
  expect([...permissionsOfScopes(keyScopes)].sort()).toEqual(
    permissions.filter((permission) => !forPeople.includes(permission)).sort(),
  );
});

it("a key reads what calls said only with the scope for it", () => {
  const usual = [...permissionsOfScopes(scopes)].filter((permission) => permission.startsWith("contents:"));
  expect(usual).toEqual([]);
});

it("a key without scopes may do nothing", () => {
  expect(permissionsOfScopes([]).size).toBe(0);
});

it("a personal key has only the rights that both its scopes and its member have", () => {
  for (const role of roles)
    for (const permission of permissions) {
      const expected = permissionsOfRole(role).has(permission) && scopeOf(permission) !== null;
      expect(permissionsOfScopes(keyScopes, role).has(permission), `${role} ${permission}`).toBe(expected);
    }
});

it("an owner has every permission, and nobody can give a role above their own", () => {
  for (const permission of permissions) expect(rolesWith(permission)).toContain("owner");
  expect(roles.filter((role) => reachesRole("admin", role))).toEqual([
    "admin",
    "member",
    "viewer",
    "billing",
  ]);
});
