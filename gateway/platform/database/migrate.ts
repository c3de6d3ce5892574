import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { type Migration, type MigrationStep, readMigrations } from "./migration-files.ts";
import { openPrimary } from "./open-primary.ts";
import { findPending, historyTables, remember } from "./schema-state.ts";

/** One process migrates at a time; the previous release takes the same lock. */
const migrationLock = 4_747_002;
const migrationsFolder = path.join(import.meta.dirname, "migrations");
const limits = {
  /** A statement that waits for a lock makes all later ones on its table wait too, so it gives up soon. */
  lockTimeoutMs: 1_000,
  /** An index built CONCURRENTLY waits for old transactions and blocks nothing meanwhile. */
  concurrentLockTimeoutMs: 600_000,
  lockAttempts: 40,
  retryMinMs: 200,
  retryMaxMs: 5_000,
  /** How long this process waits while another migrates, and how often it checks. */
  otherProcessMs: 6 * 3_600_000,
  lookEveryMs: 200,
  progressEveryMs: 5_000,
} as const;
/** A lock that was not granted in time, a deadlock, a conflict: the transaction is rolled back and can be retried. */
const retryable = new Set(["55P03", "40P01", "40001"]);

type Limits = Record<keyof typeof limits, number>;

interface MigrationRun {
  client: pg.Client;
  log: Logger;
  limits: Limits;
}

interface MigrateOptions {
  folder?: string;
  limits?: Partial<Limits>;
  /** How long a stand-by is waited for. */
  standbyWaitMs?: number;
}

/**
 * Applies the migrations that this database does not have yet: each file in a transaction of its own (or statement by
 * statement, where the file asks for that), one process at a time. Returns their names. A process that dies loses only
 * the file it was at, and the next start goes on there. Throws when the schema is newer than this release can read.
 */
export async function migrateDatabase(
  connection: pg.ClientConfig,
  log: Logger,
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? migrationsFolder);
  return withPrimary(connection, log, options, async (client) => {
    const run: MigrationRun = { client, log, limits: { ...limits, ...options.limits } };
    if ((await findPending(client, migrations)).length === 0) return [];
    await takeLock(run);
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    await client.query(historyTables);
    const pending = await findPending(client, migrations);
    for (const [index, migration] of pending.entries()) {
      const startedAt = Date.now();
      await apply(run, migration);
      const durationMs = Date.now() - startedAt;
      log.info(
        { migration: migration.tag, number: index + 1, of: pending.length, durationMs },
        "migration applied",
      );
    }
    return pending.map(({ tag }) => tag);
  });
}

/** The names of the migrations that the database lacks. Throws when its schema is newer than this release can read. */
export async function pendingMigrations(
  connection: pg.ClientConfig,
  log: Logger,
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? migrationsFolder);
  return withPrimary(connection, log, options, async (client) =>
    (await findPending(client, migrations)).map(({ tag }) => tag),
  );
}

async function withPrimary<Result>(
  connection: pg.ClientConfig,
  log: Logger,
  { standbyWaitMs }: MigrateOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const own = { ...connection, application_name: "gatehouse migrations" };
  const client = await openPrimary(own, log, standbyWaitMs);
  try {
    return await work(client);
  } catch (error) {
    throw new Error(`the database cannot be brought up to this release: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await client.end(); // releases the lock
  }
}

/** Polls: a waiting statement would hold a snapshot, which blocks an index built CONCURRENTLY. */
async function takeLock({
  client,
  log,
  limits: { otherProcessMs, lookEveryMs },
}: MigrationRun): Promise<void> {
  const startedAt = Date.now();
  for (let look = 0; ; look += 1) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [migrationLock]);
    if (rows[0].taken) return;
    if (look === 0) log.info("another process migrates the database; waiting for it");
    if (Date.now() - startedAt > otherProcessMs)
      throw new Error("another process has been migrating it for hours");
    await sleep(lookEveryMs);
  }
}

async function apply(run: MigrationRun, migration: Migration): Promise<void> {
  const { client, limits } = run;
  const steps = migration.steps.length;
  if (migration.transactional)
    return withRetries(run, migration, async () => {
      await client.query("begin");
      try {
        await client.query(`set local lock_timeout = ${limits.lockTimeoutMs}`);
        for (const [index, step] of migration.steps.entries())
          await withProgress(run, { migration: migration.tag, step: index + 1, steps }, () =>
            client.query(step.sql),
          );
        await remember(client, migration);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback").catch(() => {}); // a lost connection has already ended the transaction
        throw error;
      }
    });
  for (const [index, step] of migration.steps.entries()) {
    const progress = { migration: migration.tag, step: index + 1, steps };
    const isConcurrent = /\bconcurrently\b/i.test(step.sql);
    const lockTimeoutMs = isConcurrent ? limits.concurrentLockTimeoutMs : limits.lockTimeoutMs;
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    if (step.repeats) await repeat(run, migration, step, progress);
    else
      await withRetries(run, migration, async () => {
        await dropUnfinishedIndex(client, step);
        await withProgress(run, progress, () => client.query(step.sql));
      });
  }
  await remember(client, migration);
}

/** An interrupted build leaves an invalid index, which `if not exists` would take for a finished one. */
async function dropUnfinishedIndex(client: pg.Client, { sql }: MigrationStep): Promise<void> {
  const named = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i.exec(
    sql,
  );
  if (!named) return;
  const { rows } = await client.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and not i.indisvalid`,
    [named[1]],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

/** Runs the batches of a step, each in its own transaction, until one finds nothing more to do. */
async function repeat(
  run: MigrationRun,
  migration: Migration,
  step: MigrationStep,
  progress: object,
): Promise<void> {
  const { client, log, limits } = run;
  const walks = step.sql.includes("$1");
  let cursor = "";
  let rows = 0;
  let toldAt = Date.now();
  for (;;) {
    const result = await withRetries(run, migration, () => client.query(step.sql, walks ? [cursor] : []));
    const next = walks ? nextOf(result.rows[0], cursor) : { cursor, rows: result.rowCount ?? 0 };
    if (next === null || next.rows === 0) break;
    cursor = next.cursor;
    rows += next.rows;
    if (Date.now() - toldAt < limits.progressEveryMs) continue;
    log.info({ ...progress, rows }, "a migration is running");
    toldAt = Date.now();
  }
  log.info({ ...progress, rows }, "a step of a migration is done");
}

function nextOf(
  row: { cursor?: string | null; rows?: string | number } | undefined,
  before: string,
): { cursor: string; rows: number } | null {
  if (row?.cursor === undefined || row.cursor === null) return null;
  if (row.cursor === before) throw new Error(`a repeated step returned the cursor "${before}" twice`);
  return { cursor: row.cursor, rows: Number(row.rows ?? 1) };
}

/** Logs from time to time that a long statement is still running. */
async function withProgress(
  { log, limits }: MigrationRun,
  progress: object,
  work: () => Promise<unknown>,
): Promise<void> {
  const startedAt = Date.now();
  const timer = setInterval(
    () => log.info({ ...progress, durationMs: Date.now() - startedAt }, "a migration is running"),
    limits.progressEveryMs,
  );
  await work().finally(() => clearInterval(timer));
}

async function withRetries<Result>(
  { log, limits: { lockAttempts, retryMinMs, retryMaxMs } }: MigrationRun,
  { tag }: Migration,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (!retryable.has(code ?? "")) throw error;
      if (attempt >= lockAttempts)
        throw new Error(`${tag} did not get its locks in ${attempt} attempts (${message})`, { cause: error });
      log.warn({ migration: tag, attempt, reason: message }, "a migration did not get its locks, will retry");
      await sleep(Math.min(retryMaxMs, retryMinMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
    }
  }
}
