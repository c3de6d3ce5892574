import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database } from "./database.ts";

const everyMs = 10_000;
/** An answer that took longer says too little. */
const maxRoundTripMs = 500;
/** Less is noise, and most often the same clock. */
const minChangeMs = 100;
/** From here on the operator should know. */
const tellMs = 1_000;

/** Sets `clock` by the database's, now and from time to time. While the database is away the last difference holds. */
export async function followDatabaseClock(
  { pool }: Pick<Database, "pool">,
  log: Logger,
): Promise<() => void> {
  const follow = async (): Promise<void> => {
    const sentAt = performance.now();
    const { rows } = await pool.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
    );
    const roundTripMs = performance.now() - sentAt;
    if (!rows[0] || roundTripMs > maxRoundTripMs) return;
    const changeMs = Math.round(rows[0].ms + roundTripMs / 2 - clock.now());
    if (Math.abs(changeMs) < minChangeMs) return;
    const aheadMs = Math.round(rows[0].ms + roundTripMs / 2 - Date.now());
    clock.setOffset(aheadMs);
    if (Math.abs(changeMs) >= tellMs)
      log.warn({ aheadMs }, "the database's clock differs from this machine's; times follow the database");
  };
  await follow();
  const timer = setInterval(() => {
    follow().catch((error: unknown) => log.debug({ err: error }, "the database's clock could not be read"));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
