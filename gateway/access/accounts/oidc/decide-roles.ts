import { type Role, reachesRole } from "#contract/accounts/roles.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import { roleValues } from "./claims.ts";
import type { Claims } from "./proved-claims.ts";

/** A role that the claims give in an account. */
export interface GivenRole {
  accountId: string;
  role: Role;
  /** The claim value that gives the role; null for the default role. */
  by: string | null;
}

export interface RoleDecision extends ReturnType<typeof roleValues> {
  unmapped: string[];
  /** The highest role in each account; empty if no value is mapped. */
  mapped: GivenRole[];
}

/** Maps the role claim to roles; `firstAccountId` applies to entries that name no account. */
export function decideRoles(
  { roleClaim, roleMap }: Pick<OidcConfig, "roleClaim" | "roleMap">,
  claims: Claims,
  firstAccountId: string | null,
): RoleDecision {
  const { state, values } = roleValues(claims, roleClaim);
  const highest = new Map<string, GivenRole>();
  for (const { value, role, ...rule } of roleMap) {
    const accountId = rule.accountId ?? firstAccountId;
    if (accountId === null || !values.includes(value)) continue;
    const before = highest.get(accountId);
    if (!before || !reachesRole(before.role, role)) highest.set(accountId, { accountId, role, by: value });
  }
  const unmapped = values.filter((value) => roleMap.every((rule) => rule.value !== value));
  return { state, values, unmapped, mapped: [...highest.values()] };
}

/** A new member's roles: from the map, otherwise the default role in the first account. Empty: none. */
export function rolesOfNewMember(
  { defaultRole }: Pick<OidcConfig, "defaultRole">,
  { mapped }: RoleDecision,
  firstAccountId: string | null,
): GivenRole[] {
  if (mapped.length > 0 || defaultRole === null || firstAccountId === null) return mapped;
  return [{ accountId: firstAccountId, role: defaultRole, by: null }];
}
