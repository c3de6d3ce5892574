import { expect, it } from "vitest";
import { scopes } from "./account.ts";
import { permissions, permissionsOfScopes, scopeOf } from "./permissions.ts";

it("every permission but attesting belongs to one scope, and a key with all scopes has them all", () => {
  expect(permissions.filter((permission) => scopeOf(permission) === null)).toEqual(["attestations:make"]);
  expect([...permissionsOfScopes(scopes)].sort()).toEqual(
    permissions.filter((permission) => permission !== "attestations:make").sort(),
  );
});

it("a key without scopes may do nothing", () => {
  expect(permissionsOfScopes([]).size).toBe(0);
});
