import { newId } from "#contract/ids.ts";
import type { Cause } from "#contract/notice-constants.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { isNotNull } from "#gateway/platform/database/drizzle.ts";
import { noticeCauses, noticeMessages } from "#gateway/platform/database/schema.ts";
import type { CauseData, MessageKind } from "#gateway/platform/database/tables/notices.ts";
import type { Language } from "#messages/languages.ts";

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

interface NewMail {
  kind: Exclude<MessageKind, "notices">;
  address: string;
  /** The message is deleted with the account or the person. */
  accountId?: string | null;
  userId?: string | null;
  /** Data for its text. Never a secret. */
  data?: CauseData;
  /** By default that of the person. */
  language?: Language | null;
  /** An access link; it stays sealed until it is sent. */
  link?: string;
}

/** Seals links until they are sent; each is bound to its message. */
export function mailSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse queued mail");
}

/**
 * Queues an e-mail in the caller's transaction; it is sent after the commit, also after a crash. Returns
 * false if the installation sends no e-mail.
 */
export async function queueMail(
  queries: Queries,
  config: Pick<Config, "smtp" | "secret" | "previousSecret">,
  mail: NewMail,
): Promise<boolean> {
  if (!config.smtp) return false;
  const { kind, address, accountId = null, userId = null, data = {}, language = null, link } = mail;
  const id = newId("noticeMessage");
  const sealed = link === undefined ? {} : mailSealer(config).seal(link, id);
  await queries.insert(noticeMessages).values({
    id,
    kind,
    address,
    accountId,
    userId,
    recipient: address,
    data,
    language,
    status: "pending",
    ...sealed,
  });
  return true;
}
