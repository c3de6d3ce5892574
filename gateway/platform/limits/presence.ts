import type pg from "pg";
import type { Logger } from "pino";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

const beatMs = 5_000;
/** A process that was not seen for this long counts as dead, and its slots are free. */
export const deadAfter = "20 seconds";

const beatText = `insert into gateway_processes (id, seen_at) values ($1, now())
  on conflict (id) do update set seen_at = now()`;

/** Shows other processes that this one is alive. The returned function ends that at once. */
export async function keepPresent(
  pool: pg.Pool,
  log: Logger,
  processId: string,
): Promise<() => Promise<void>> {
  const beat = () => pool.query({ name: "process beat", text: beatText, values: [processId] });
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) =>
      log.warn({ err: error }, "could not record for other processes that this one is alive"),
    );
  }, beatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await signOff(pool, processId).catch((error: unknown) =>
      log.debug({ err: error }, "a process could not sign off; it counts as dead soon"),
    );
  };
}

/** `<host>` and `<host>:<process id>` of a registered process: both can be drained. */
export function namesOf(processId: string): { node: string; process: string } {
  const [node = "", pid = ""] = processId.split(":");
  return { node, process: `${node}:${pid}` };
}

/** Frees the process's slots at once. Its drain ends: its number may become that of another process. */
export async function signOff(pool: pg.Pool, processId: string): Promise<void> {
  await pool.query("delete from gateway_processes where id = $1", [processId]);
  await pool.query("delete from drained_nodes where id = $1", [namesOf(processId).process]);
}

/** Forgets processes that died long ago, with their drains. */
export async function forgetDead(queries: Queries): Promise<void> {
  await queries.execute(sql`
    with dead as (
      delete from gateway_processes where seen_at < now() - ${deadAfter}::interval * 2 returning id)
    delete from drained_nodes d
    where exists (select from dead where starts_with(dead.id, d.id || ':')) and d.id like '%:%'
      and not exists (
        select from gateway_processes p
        where starts_with(p.id, d.id || ':') and p.seen_at >= now() - ${deadAfter}::interval)`);
}

/**
 * Which of these processes are registered, and whether each was seen recently. The others signed off, or died
 * long ago.
 */
export async function seenLately(
  pool: pg.Pool,
  processIds: readonly string[],
): Promise<Map<string, boolean>> {
  const { rows } = await pool.query<{ id: string; lately: boolean }>(
    `select id, seen_at >= now() - $2::interval as lately from gateway_processes where id = any ($1)`,
    [processIds, deadAfter],
  );
  return new Map(rows.map(({ id, lately }) => [id, lately]));
}
