import { setLimitsOf } from "#contract/accounts/limits.ts";
import type { SetLimits } from "#gateway/platform/core/actor.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, limitPlans } from "#gateway/platform/database/schema.ts";

/** The columns for `setLimitsOf`, in a query that has the table of accounts. */
export const setLimitColumns = {
  ownLimits: accounts.limits,
  planLimits: sql<SetLimits | null>`(select p.limits from ${limitPlans} p where p.id = ${accounts.planId})`,
};

export interface SetLimitColumns {
  ownLimits: SetLimits | null;
  planLimits: SetLimits | null;
}

/** What operators set for the account of a row. */
export function setLimitsIn({ planLimits, ownLimits }: SetLimitColumns): SetLimits {
  return setLimitsOf(planLimits, ownLimits);
}
