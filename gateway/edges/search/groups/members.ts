import { lastSeenAt } from "#gateway/access/accounts/members/last-seen.ts";
import { and, asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { foundBy } from "#gateway/platform/database/found-by.ts";
import { members, users } from "#gateway/platform/database/schema.ts";
import { firstOf, type Group } from "../group.ts";

/** By their names; by their addresses for those who see addresses in the list of members. */
export const memberGroup: Group = {
  kind: "member",
  permission: "members:read",
  find: async ({ database }, { accountId, userId, permissions }, { search, limit }) => {
    const email = permissions.has("members:manage")
      ? sql<string | null>`${users.email}`
      : sql<string | null>`case when ${users.id} = ${userId ?? ""} then ${users.email} end`;
    const rows = await database.queries
      .select({ id: users.id, name: users.name, email, role: members.role, seenAt: lastSeenAt() })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(
        and(
          eq(members.accountId, accountId),
          foundBy(search, {
            idColumn: members.userId,
            among: eq(members.accountId, accountId),
            texts: [users.name, email],
          }),
        ),
      )
      .orderBy(asc(users.name), asc(users.id))
      .limit(limit + 1);
    const found = rows.map(({ id, name, email: address, role, seenAt }) => ({
      id,
      kind: "member" as const,
      name,
      about: address,
      state: role,
      at: seenAt && new Date(seenAt).toISOString(),
    }));
    return firstOf(found, limit);
  },
};
