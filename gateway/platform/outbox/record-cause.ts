import { newId } from "#contract/ids.ts";
import type { Cause } from "#contract/notice-constants.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { isNotNull } from "#gateway/platform/database/drizzle.ts";
import { noticeCauses } from "#gateway/platform/database/schema.ts";
import type { CauseData } from "#gateway/platform/database/tables/notices.ts";

export interface NewCause {
  cause: Cause;
  /**
   * The account that the event concerns. Null: it concerns the installation, or a person whatever their
   * account.
   */
  accountId: string | null;
  /** The person it concerns, if it is a single one. */
  userId?: string | null;
  /** The subject, such as an endpoint. */
  subjectId?: string | null;
  /** Data for its text (`notices/words.ts`). Never a secret. */
  data: CauseData;
  /** Set for a cause that may happen only once: a second one with this key is ignored. */
  once?: string;
}

/**
 * Records an event that people may want to be notified about, in the transaction that causes it. Recipients
 * and channels are decided afterwards (`notices/spread.ts`). Returns false if `once` was already recorded.
 */
export async function recordCause(queries: Queries, cause: NewCause): Promise<boolean> {
  const { accountId, userId = null, subjectId = null, data, once = null } = cause;
  const written = await queries
    .insert(noticeCauses)
    .values({ id: newId("cause"), cause: cause.cause, accountId, userId, subjectId, data, onceKey: once })
    .onConflictDoNothing({ target: noticeCauses.onceKey, where: isNotNull(noticeCauses.onceKey) })
    .returning({ id: noticeCauses.id });
  return written.length > 0;
}
