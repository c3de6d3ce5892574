import { newId } from "#contract/ids.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { noticeMessages } from "#gateway/platform/database/schema.ts";
import type { CauseData, MessageKind } from "#gateway/platform/database/tables/notices.ts";

export interface NewMail {
  kind: Exclude<MessageKind, "notices">;
  address: string;
  /** It goes with the account, or with the person. */
  accountId?: string | null;
  userId?: string | null;
  /** What its words need. Never a secret. */
  data?: CauseData;
  /** A link that lets somebody in: it is sealed until it is sent. */
  link?: string;
}

/** Seals links that wait to be sent; each is bound to its message. */
export function mailSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse queued mail");
}

/**
 * Queues an e-mail in the caller's transaction; it is sent after the commit, again after a crash. False when the installation
 * sends no e-mail.
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
