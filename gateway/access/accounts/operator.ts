import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";

/** Throws `operator_required` unless the caller is an operator of this installation. */
export async function assertOperator(queries: Queries, actor: Actor): Promise<void> {
  const [user] =
    actor.kind === "user"
      ? await queries.select({ isOperator: users.isOperator }).from(users).where(eq(users.id, actor.id))
      : [];
  if (!user?.isOperator)
    throw new ApiError("operator_required", "Only operators of this installation can do this.");
}
