import { hearsAsRole, noticeCauses } from "#contract/notice-constants.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { and, eq, inArray, isNull, or, type SQL } from "#gateway/platform/database/drizzle.ts";
import { notices } from "#gateway/platform/database/schema.ts";

/**
 * The notices that the caller may see now: in the account of the request their own, also those about the installation and
 * themselves; a service key those of the account. What their role may no longer know is left out.
 */
export function visibleTo({ accountId, userId, role, isOperator }: Actor): SQL | undefined {
  if (userId === null) return eq(notices.recipient, accountId);
  const known = noticeCauses.filter((cause) => hearsAsRole(cause, role, isOperator));
  return and(
    eq(notices.recipient, userId),
    eq(notices.isHidden, false),
    or(eq(notices.accountId, accountId), isNull(notices.accountId)),
    or(eq(notices.isPersonal, true), inArray(notices.cause, known)),
  );
}
