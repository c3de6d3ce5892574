import { type Role, reachesRole } from "#contract/accounts/constants.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNotNull, lt } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accounts } from "#gateway/platform/database/schema.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { addMember, endMembership, setRole } from "../members/membership.ts";
import { lockTeam } from "../members/team.ts";
import type { Origin } from "../sessions/open.ts";
import { type Claims, roleValues } from "./claims.ts";

/**
 * The account for entries that name none, and for the default role: the first one created. Null once that
 * account is deleted: the next account must not take its place, because nobody chose it for these people.
 */
export async function firstAccount(queries: Queries): Promise<string | null> {
  const [account] = await queries
    .select({ id: accounts.id })
    .from(accounts)
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(1);
  if (!account) return null;
  const [deleted] = await queries
    .select({ id: accountDeletions.accountId })
    .from(accountDeletions)
    .where(and(isNotNull(accountDeletions.finishedAt), lt(accountDeletions.accountId, account.id)))
    .limit(1);
  return deleted ? null : account.id;
}

interface Person {
  userId: string;
  name: string;
}

/** A role that the claims give in an account. */
interface GivenRole {
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

type Logs = Pick<AccessContext, "log">;

/** Makes a new person a member at their first sign-in; returns false if there is no account to join. */
export async function addNewMember(
  logs: Logs,
  queries: Queries,
  settings: OidcConfig,
  decision: RoleDecision,
  person: Person,
  origin: Origin,
): Promise<boolean> {
  let added = false;
  for (const given of rolesOfNewMember(settings, decision, await firstAccount(queries)))
    added = (await join(logs, queries, given, person, origin)) || added;
  return added;
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

/**
 * With OIDC_MANAGES_ROLES, sets the roles that the map gives. A missing or incomplete claim changes nothing,
 * and the last owner stays owner.
 */
export async function followRoles(
  { log }: Logs,
  queries: Queries,
  settings: OidcConfig,
  decision: RoleDecision,
  person: Person,
  origin: Origin,
): Promise<void> {
  if (!settings.managesRoles || decision.state !== "present") return;
  const first = await firstAccount(queries);
  const wanted = new Map(
    rolesOfNewMember(settings, decision, first).map((given) => [given.accountId, given]),
  );
  const managed = new Set(settings.roleMap.map(({ accountId }) => accountId ?? first));
  for (const accountId of [...managed].filter((id) => id !== null).sort()) {
    const team = await lockTeam(queries, accountId);
    const before = team.rows.find(({ userId }) => userId === person.userId)?.role;
    const given = wanted.get(accountId);
    if (before === given?.role) continue;
    const isLastOwner = before === "owner" && team.rows.filter(({ role }) => role === "owner").length === 1;
    if (isLastOwner) {
      log.warn({ accountId, userId: person.userId }, "the last owner of an account keeps the role");
    } else if (!before) {
      if (given && given.by !== null && settings.createMembers)
        await join({ log }, queries, given, person, origin);
    } else if (given) {
      await setRole(queries, team, person.userId, given.role);
      await recordAudit(queries, {
        accountId,
        ...byProvider(origin),
        action: "member.updated",
        targetId: person.userId,
        detail: { role: given.role, role_before: before, by: "identity_provider" },
      });
    } else {
      await endMembership(queries, team, person.userId, { ...byProvider(origin), action: "member.removed" });
    }
  }
}

/**
 * Returns false if there is no such account, or if nobody can join it: that must not keep a person out of
 * their other accounts.
 */
async function join(
  { log }: Logs,
  queries: Queries,
  given: GivenRole,
  { userId, name }: Person,
  origin: Origin,
): Promise<boolean> {
  const { ip, requestId } = origin;
  const [known] = await queries
    .select({ suspension: accounts.suspension, closesAt: accountDeletions.dueAt })
    .from(accounts)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .where(eq(accounts.id, given.accountId));
  if (!known) return false;
  if (known.suspension || known.closesAt) {
    const { accountId } = given;
    log.warn({ accountId, userId }, "nobody can join a suspended account, or one that will be deleted");
    return false;
  }
  return addMember(
    queries,
    { accountId: given.accountId, userId, role: given.role },
    { actor: { kind: "user", id: userId, userId, name }, detail: { by: "identity_provider" }, ip, requestId },
  );
}

function byProvider({ ip, requestId }: Origin): Pick<AuditEntry, "actor" | "ip" | "requestId"> {
  return { actor: null, ip, requestId };
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
