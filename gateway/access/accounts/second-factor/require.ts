import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { secondFactorWaysOf } from "./read.ts";

/** How much time members have to set one up. */
const noticeMs = 7 * 86_400_000;

/**
 * Requires a second factor of everybody in the account, starting in a week, or stops requiring it. Returns
 * when it starts.
 */
export async function requireSecondFactor(
  queries: Queries,
  accountId: string,
  ownerId: string,
  isRequired: boolean,
): Promise<Date | null> {
  const [account] = await queries.select().from(accounts).where(eq(accounts.id, accountId)).for("update");
  const present = account?.secondFactorFrom ?? null;
  if (isRequired && present) return present;
  if (isRequired && (await secondFactorWaysOf(queries, ownerId)).length === 0)
    throw new ApiError("invalid_parameter", "Set up a second factor for yourself first.", {
      param: "second_factor_required",
    });
  const from = isRequired ? new Date(clock.now() + noticeMs) : null;
  await queries.update(accounts).set({ secondFactorFrom: from }).where(eq(accounts.id, accountId));
  return from;
}
