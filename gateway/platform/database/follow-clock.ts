import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database } from "./database.ts";

const everyMs = 10_000;
/** An answer that took longer is ignored, because it is too inaccurate. */
const maxRoundTripMs = 500;
/** A smaller difference is noise: most often both clocks are the same clock. */
const minChangeMs = 100;
/** From this difference on, the operator is warned. */
const tellMs = 1_000;

/**
 * Sets `clock` to the database's time, now and repeatedly. While the database is unavailable, the last
 * difference stays in use.
 */
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
    // The database read its clock at some moment of the round trip, so the result can be wrong by half of it.
    // A smaller change is ignored: times and the order of ids must not jump because an answer was slow.
    if (Math.abs(changeMs) < Math.max(minChangeMs, roundTripMs / 2)) return;
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
