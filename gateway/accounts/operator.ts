import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { eq } from "#gateway/database/drizzle.ts";
import { users } from "#gateway/database/schema.ts";

/** Throws `operator_required` for everybody who does not run this installation. */
export async function assertOperator(queries: Queries, actor: Actor): Promise<void> {
  const [user] =
    actor.kind === "user"
      ? await queries.select({ isOperator: users.isOperator }).from(users).where(eq(users.id, actor.id))
      : [];
  if (!user?.isOperator)
    throw new ApiError("operator_required", "Only an operator, who runs this installation, can do this.");
}
