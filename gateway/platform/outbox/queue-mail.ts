import { newId } from "#contract/ids.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { noticeMessages } from "#gateway/platform/database/schema.ts";
import type { CauseData, MessageKind } from "#gateway/platform/database/tables/notices.ts";

export interface NewMail {
  kind: Exclude<MessageKind, "notices">;
  address: string;
  /** The message is deleted with the account or the person. */
  accountId?: string | null;
  userId?: string | null;
  /** Data for its text. Never a secret. */
  data?: CauseData;
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
  const { kind, address, accountId = null, userId = null, data = {}, link } = mail;
  const id = newId("noticeMessage");
  const sealed = link === undefined ? {} : mailSealer(config).seal(link, id);
  await queries
    .insert(noticeMessages)
    .values({ id, kind, address, accountId, userId, recipient: address, data, status: "pending", ...sealed });
  return true;
}
