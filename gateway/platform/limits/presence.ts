import type pg from "pg";
import type { Logger } from "pino";

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

/** Frees the process's slots at once. */
export async function signOff(pool: pg.Pool, processId: string): Promise<void> {
  await pool.query("delete from gateway_processes where id = $1", [processId]);
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
