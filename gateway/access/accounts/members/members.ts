import type { Role } from "#contract/accounts/constants.ts";
import {
  type Member,
  type MemberSignInWay,
  type MemberUpdate,
  memberRoutes,
} from "#contract/accounts/team.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import { memberHolder, readBudgetStates } from "#gateway/billing/budgets/state.ts";
import { usedByMembers, usedOf } from "#gateway/billing/usage/used-this-month.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, asc, eq, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { identities, members, passkeys, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { audited } from "../audit.ts";
import { assertModelsExist } from "../keys/create.ts";
import { answeredKeys } from "../keys/view.ts";
import { createReset } from "../passwords/passwords.ts";
import { hasSecondFactor } from "../second-factor/read.ts";
import { endMemberSessions, listMemberSessions } from "../sessions/sessions.ts";
import { tokenRatesIn, tokenRatesView } from "../token-rates.ts";
import { removeMember, setRole } from "./membership.ts";
import { assertReaches, lastSeenAt, lockTeam, memberOf } from "./team.ts";

export function installMembers(app: App, context: AccessContext): void {
  serve(app, context, memberRoutes, {
    "GET /account/members": async ({ caller }) => ({
      object: "list" as const,
      data: await listMembers(context, caller.actor),
    }),
    "PATCH /account/members/{user_id}": (request) =>
      updateMember(context, request.caller, request.params.user_id, request.body),
    "DELETE /account/members/{user_id}": (request) =>
      removeMember(context, request.caller, request.params.user_id),
    "POST /account/members/{user_id}/reset": (request) =>
      createReset(context, request.caller, request.params.user_id),
    "GET /account/members/{user_id}/sessions": async ({ caller, params }) => ({
      object: "list" as const,
      data: await listMemberSessions(context, caller.actor, params.user_id),
    }),
    "DELETE /account/members/{user_id}/sessions": async (request) => ({
      object: "sessions" as const,
      ended: await endMemberSessions(context, request.caller, request.params.user_id),
    }),
  });
}

/** The account's members, in the order in which they joined. */
async function listMembers(context: AccessContext, actor: Actor): Promise<Member[]> {
  const { queries } = context.database;
  const rows = await queries
    .select({
      member: members,
      name: users.name,
      email: users.email,
      lastSeenAt: lastSeenAt(),
      isElsewhere,
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
      hasPasskey: sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})`,
      hasProvider: sql<boolean>`exists (select from ${identities} where ${identities.userId} = ${users.id})`,
      hasSecondFactor,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.accountId, actor.accountId))
    .orderBy(asc(members.createdAt), asc(members.userId));
  const answered = await answeredKeys(queries, actor.accountId);
  const used = await usedByMembers(
    context,
    actor.accountId,
    rows.map(({ member }) => ({ id: member.userId, monthlyBudget: member.monthlyBudget })),
  );
  const budgets = await readBudgetStates(
    queries,
    rows.map(({ member }) => ({
      holder: memberHolder(member.userId, actor.accountId),
      budgets: member.budgets,
    })),
  );
  const manages = actor.permissions.has("members:manage");
  return rows.map(({ member, name, email, lastSeenAt: seen, isElsewhere: elsewhere, ...means }) => ({
    id: member.userId,
    object: "member",
    user_id: member.userId,
    name,
    email: manages || member.userId === actor.userId ? email : null,
    role: member.role,
    ...tokenRatesView(member),
    monthly_budget: member.monthlyBudget,
    used_this_month: usedOf(member.monthlyBudget, used.get(member.userId)),
    budgets: budgets.get(memberHolder(member.userId, actor.accountId)) ?? [],
    answers_for: answered.get(member.userId) ?? [],
    sign_in: manages ? signInOf(means) : null,
    has_other_accounts: manages ? elsewhere : null,
    last_seen_at: seen && !elsewhere ? new Date(seen).toISOString() : null,
    since: member.createdAt.toISOString(),
  }));
}

/** One member. Throws `member_not_found`. */
async function readMember(context: AccessContext, actor: Actor, userId: string): Promise<Member> {
  const found = (await listMembers(context, actor)).find(({ user_id: id }) => id === userId);
  if (!found) throw new ApiError("member_not_found", "There is no such member in this account.");
  return found;
}

/**
 * Whether the member also belongs to another account. Written as SQL, because the query reads `members`
 * twice.
 */
const isElsewhere = sql<boolean>`exists (select from members as other
  where other.user_id = members.user_id and other.account_id <> members.account_id)`;

interface SignInMeans {
  hasPassword: boolean;
  hasPasskey: boolean;
  hasProvider: boolean;
  hasSecondFactor: boolean;
}

function signInOf({ hasPassword, hasPasskey, hasProvider, hasSecondFactor: has }: SignInMeans) {
  const ways: MemberSignInWay[] = [];
  if (hasPassword) ways.push("password");
  if (hasPasskey) ways.push("passkey");
  if (hasProvider) ways.push("provider");
  return { ways, has_second_factor: has };
}

/**
 * Changes a member's role, tokens per minute or budgets, at once in this process and within a second in others. An owner hands
 * over by giving somebody the role owner. Throws `member_not_found`, `role_not_allowed`, `last_owner`.
 */
async function updateMember(
  context: AccessContext,
  caller: Caller,
  userId: string,
  input: MemberUpdate,
): Promise<Member> {
  const { accountId } = caller.actor;
  assertModelsExist(context.catalog, input, accountId);
  await audited(context, caller, "member.updated", async (queries) => {
    const team = await lockTeam(queries, accountId);
    const before = memberOf(team, userId);
    const role: Role = input.role ?? before.role;
    await assertReaches(queries, team, caller.actor, before.role);
    await assertReaches(queries, team, caller.actor, role);
    await setRole(queries, team, userId, role);
    const { monthly_budget: monthlyBudget } = input;
    const budgets =
      input.budgets === undefined ? undefined : checkedBudgets(input.budgets, context.config.currency);
    const { role: _, ...limits } = input;
    if (Object.keys(limits).length > 0)
      await queries
        .update(members)
        .set({
          ...tokenRatesIn(limits),
          ...(monthlyBudget !== undefined && { monthlyBudget }),
          ...(budgets !== undefined && { budgets }),
        })
        .where(and(eq(members.accountId, accountId), eq(members.userId, userId)));
    return {
      target: userId,
      detail: {
        ...(role !== before.role && { role, role_before: before.role }),
        ...limits,
        ...(budgets !== undefined && { budgets: budgets ?? [] }),
      },
      result: null,
    };
  });
  context.credentials.forget(userId);
  return readMember(context, caller.actor, userId);
}
