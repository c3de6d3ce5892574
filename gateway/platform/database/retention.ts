import type { Logger } from "pino";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database } from "./database.ts";
import { eq, isNotNull } from "./drizzle.ts";
import { accounts } from "./schema.ts";

/*
 * How long inputs and outputs are kept: `RETENTION_MS`, or the shorter time that an account's owner chose. Whatever
 * writes or shows an expiry asks here; `apply-retention.ts` applies a new choice to what exists already.
 */

/** The NOTIFY channel of changes; the payload is the account's id. */
export const retentionChannel = "retention_changed";
/** Changes are notified; this limits the effect of a lost notification. */
const rereadEveryMs = 60_000;
/** The retention of every account, in memory. */
export interface Retention {
  /** How long the account's inputs and outputs are kept after the end of a run, in milliseconds. */
  of(accountId: string): number;
  /** The shorter time that its owner chose, in minutes; null: the installation's time applies. */
  minutesOf(accountId: string): number | null;
  /** Reads an account's choice again after a change was committed, here and in the other processes. */
  reread(accountId: string): Promise<void>;
  close(): void;
}

/** Follows the choices of all accounts. Without extensions, the installation's time applies to all. */
export async function openRetention({
  config,
  database,
  log,
}: {
  config: Config;
  database: Database;
  log: Logger;
}): Promise<Retention> {
  const seconds = new Map<string, number>();
  const read = async (accountId?: string): Promise<void> => {
    const rows = await database.queries
      .select({ id: accounts.id, seconds: accounts.retentionSeconds })
      .from(accounts)
      .where(accountId === undefined ? isNotNull(accounts.retentionSeconds) : eq(accounts.id, accountId));
    if (accountId === undefined) seconds.clear();
    else seconds.delete(accountId);
    for (const row of rows) if (row.seconds !== null) seconds.set(row.id, row.seconds);
  };
  const notRead = (error: unknown) =>
    log.warn({ err: error }, "the retention that accounts chose could not be read, will retry");
  const readLater = (accountId?: string) => void read(accountId).catch(notRead);
  const opened = { close: () => {} };
  const chosen = (accountId: string): number | null => {
    const own = seconds.get(accountId);
    return own !== undefined && isShorter(config, own) ? own : null;
  };
  if (config.extensions) {
    await read();
    const stopListening = await database.listen(retentionChannel, (accountId) =>
      readLater(accountId || undefined),
    );
    const timer = setInterval(() => readLater(), rereadEveryMs);
    timer.unref();
    opened.close = () => {
      clearInterval(timer);
      stopListening();
    };
  }
  return {
    of(accountId) {
      const own = chosen(accountId);
      return own === null ? config.retentionMs : own * 1000;
    },
    minutesOf(accountId) {
      const own = chosen(accountId);
      return own === null ? null : own / 60;
    },
    async reread(accountId) {
      await read(accountId).catch(notRead);
      database.notify(retentionChannel, accountId);
    },
    close: () => opened.close(),
  };
}

/** Whether a choice counts: an operator may have shortened the installation's time since. */
export function isShorter({ retentionMs }: Pick<Config, "retentionMs">, seconds: number): boolean {
  return seconds * 1000 < retentionMs;
}
