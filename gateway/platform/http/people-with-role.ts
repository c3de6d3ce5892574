import type { Role } from "#contract/accounts/roles.ts";
import type { ErrorDetail } from "#contract/error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { members, users } from "#gateway/platform/database/schema.ts";

/** People named in an error at most, per role. */
const namesShown = 5;

/** Error details that name the roles that can help, and some of the people who have them. */
export async function peopleWithRole(
  queries: Queries,
  accountId: string,
  roles: readonly Role[],
): Promise<ErrorDetail[]> {
  const people = await queries
    .select({ id: users.id, name: users.name, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.accountId, accountId), inArray(members.role, [...roles])))
    .orderBy(asc(members.createdAt), asc(members.userId));
  return roles.map((role): ErrorDetail => {
    const named = people.filter((person) => person.role === role).slice(0, namesShown);
    return {
      path: "",
      keyword: "role",
      message: named.length > 0 ? `${role}: ${named.map(({ name }) => name).join(", ")}` : role,
      role,
      members: named.map(({ id, name }) => ({ id, name })),
    };
  });
}
