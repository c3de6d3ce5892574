import type { Member, MemberUpdate } from "#contract/accounts/members.ts";
import type { Role } from "#contract/accounts/roles.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import type { Context } from "#gateway/context.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { members } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { readMember } from "./list.ts";
import { setRole } from "./set-role.ts";
import { assertReaches, lockTeam, memberOf } from "./team.ts";

/**
 * Changes a member's role or budgets, at once in this process and within a second in others. An owner hands over by giving
 * the role owner. Throws `member_not_found`, `role_not_allowed`, `last_owner`.
 */
export async function updateMember(
  context: Context,
  caller: Caller,
  userId: string,
  input: MemberUpdate,
): Promise<Member> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, accountId);
    const before = memberOf(team, userId);
    const role: Role = input.role ?? before.role;
    await assertReaches(queries, team, caller.actor, before.role);
    await assertReaches(queries, team, caller.actor, role);
    await setRole(queries, team, userId, role);
    const { monthly_budget: monthlyBudget } = input;
    const budgets =
      input.budgets === undefined ? undefined : checkedBudgets(input.budgets, context.config.currency);
    if (monthlyBudget !== undefined || budgets !== undefined)
      await queries
        .update(members)
        .set({
          ...(monthlyBudget !== undefined && { monthlyBudget }),
          ...(budgets !== undefined && { budgets }),
        })
        .where(and(eq(members.accountId, accountId), eq(members.userId, userId)));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "member.updated",
      targetId: userId,
      detail: {
        ...(role !== before.role && { role, role_before: before.role }),
        ...(monthlyBudget !== undefined && { monthly_budget: monthlyBudget }),
        ...(budgets !== undefined && { budgets: budgets ?? [] }),
      },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  context.credentials.forget(userId);
  return readMember(context, caller.actor, userId);
}
