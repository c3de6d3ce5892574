import { newId } from "#contract/ids.ts";
import type { Cause } from "#contract/notice-constants.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { isNotNull } from "#gateway/platform/database/drizzle.ts";
import { noticeCauses } from "#gateway/platform/database/schema.ts";
import type { CauseData } from "#gateway/platform/database/tables/notices.ts";

export interface NewCause {
  cause: Cause;
  /** Null: it concerns the installation, or a person whatever their account. */
  accountId: string | null;
  /** Whom it concerns, where that is one person. */
  userId?: string | null;
  /** What it is about, such as an endpoint. */
  subjectId?: string | null;
  /** What its words need (`notices/words.ts`). Never a secret. */
  data: CauseData;
  /** Set for a cause that may happen once: a second one with this key is not written. */
  once?: string;
}

/**
 * Records that something happened of which people may want to hear, in the transaction that causes it. Who hears of it, and
 * how, is decided afterwards (`notices/spread.ts`). False when `once` was recorded already.
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
