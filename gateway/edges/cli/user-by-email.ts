import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";

/** Throws if no user has this e-mail address. */
export async function userByEmail(
  queries: Queries,
  email: string,
): Promise<{ id: string; name: string; email: string }> {
  const [user] = await queries
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()));
  if (!user) throw new Error(`There is no user with the e-mail address ${email}`);
  return user;
}
