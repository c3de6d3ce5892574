import type { Member, MemberSignInWay } from "#contract/accounts/members.ts";
import { memberHolder, readBudgetStates } from "#gateway/billing/budgets/state.ts";
import { usedByMembers, usedOf } from "#gateway/billing/usage/used-this-month.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { asc, eq, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { identities, members, passkeys, users } from "#gateway/platform/database/schema.ts";
import { hasSecondFactor } from "../second-factor/read.ts";
import { answeredKeys } from "./answered-keys.ts";
import { lastSeenAt } from "./last-seen.ts";

/** The account's members, who joined first before the others. */
export async function listMembers(context: Context, actor: Actor): Promise<Member[]> {
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

/** One of them. Throws `member_not_found`. */
export async function readMember(context: Context, actor: Actor, userId: string): Promise<Member> {
  const found = (await listMembers(context, actor)).find(({ user_id: id }) => id === userId);
  if (!found) throw new ApiError("member_not_found", "There is no such member in this account.");
  return found;
}

/** Written out, since both are rows of the same table. */
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
