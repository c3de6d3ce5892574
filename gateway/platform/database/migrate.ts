import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";

/** Long enough for a fail-over. */
const usualWaitMs = 60_000;
const lookEveryMs = 1_000;
/** PostgreSQL's code while it is starting or recovering. */
const startingUp = "57P03";

/**
 * Connects to a server that accepts writes. Waits for a stand-by or a server that is still starting; throws
 * on any other failure at once.
 */
async function openPrimary(
  connection: pg.ClientConfig,
  log: Logger,
  waitMs = usualWaitMs,
): Promise<pg.Client> {
  const giveUpAt = performance.now() + waitMs;
  for (let look = 0; ; look += 1) {
    const opened = await open(connection);
    if (typeof opened !== "string") return opened;
    if (performance.now() >= giveUpAt)
      throw new Error(`${opened}, and did not become a primary within ${Math.round(waitMs / 1000)} s`);
    if (look === 0) log.warn(`the database is not ready: ${opened}; waiting for it`);
    await sleep(Math.min(lookEveryMs, waitMs));
  }
}

/** A connection, or the reason why the server cannot be used yet. */
async function open(connection: pg.ClientConfig): Promise<pg.Client | string> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // The running query reports the failure.
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; readonly: boolean }>(
      "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly",
    );
    if (!rows[0]?.readonly) return client;
    await client.end();
    return rows[0].standby ? "it is a stand-by" : "it accepts no writes (default_transaction_read_only)";
  } catch (error) {
    await client.end().catch(() => {});
    if ((error as { code?: string }).code === startingUp) return "it is still starting";
    throw error;
  }
}

/** Only one process migrates at a time; the previous release takes the same lock. */
const migrationLock = 4_747_002;
const migrationsFolder = path.join(import.meta.dirname, "migrations");
const limits = {
  /** A statement that waits for a lock makes all later ones on its table wait too, so it soon gives up. */
  lockTimeoutMs: 1_000,
  /** Building an index CONCURRENTLY waits for old transactions and blocks nothing meanwhile. */
  concurrentLockTimeoutMs: 600_000,
  lockAttempts: 40,
  retryMinMs: 200,
  retryMaxMs: 5_000,
  /**
   * How long this process waits while another one migrates, and how often it checks whether that one has
   * finished.
   */
  otherProcessMs: 6 * 3_600_000,
  lookEveryMs: 200,
  progressEveryMs: 5_000,
} as const;
/**
 * A lock not granted in time, a deadlock or a conflict: the transaction is rolled back and can be retried.
 */
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
  /** How long to wait for a stand-by. */
  standbyWaitMs?: number;
}

/**
 * Applies the migrations that this database lacks: each file in its own transaction (or statement by
 * statement, if the file says so), one process at a time. Returns their names. A process that dies loses only
 * its current file, and the next start continues there. Throws if this release cannot read the newer schema.
 *
 * drizzle-kit writes the files and the history table is drizzle's, but drizzle's own migrator runs all files in one transaction,
 * without a lock against other processes or a lock time-out. node-pg-migrate and umzug know neither its journal nor batches.
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

/**
 * The names of the migrations that the database lacks. Throws if this release cannot read its newer schema.
 */
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
    await client.end(); // Releases the lock.
  }
}

/** Polls, because a waiting statement would hold a snapshot, which blocks an index built CONCURRENTLY. */
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
      throw new Error(
        "another process has been migrating it for hours. End that process if it is stuck, then start again",
      );
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
        // A lost connection has already ended the transaction.
        await client.query("rollback").catch(() => {});
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

/** An interrupted build leaves an invalid index, which `if not exists` would accept as finished. */
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

/** Runs the batches of a step, each in its own transaction, until one changes nothing. */
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

/** Repeatedly logs that a long statement is still running. */
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
      const schedule = { firstMs: retryMinMs, factor: 2, maxMs: retryMaxMs, jitter: { min: 0.5, max: 1 } };
      await sleep(retryWaitMs(schedule, attempt));
    }
  }
}

/** One statement, or a few, between two `--> statement-breakpoint`. */
interface MigrationStep {
  sql: string;
  /** Repeated until it changes no more rows; see CONTRIBUTING.md, "Migrations". */
  repeats: boolean;
}

/** One SQL file of the migrations folder, generated by drizzle-kit and edited by hand. */
interface Migration {
  tag: string;
  /** Milliseconds; identifies the migration in the history table, as in drizzle's own migrator. */
  when: number;
  /** sha256 of the file, hex. */
  hash: string;
  /** Whether all steps run in one transaction; the default. */
  transactional: boolean;
  /** Set if releases without this migration cannot read the schema from here on; null if they can. */
  readersNeed: string | null;
  steps: MigrationStep[];
}

const breakpoint = "--> statement-breakpoint";
const directives = /^-- gatehouse: *(.*?) *$/gm;
const readersNeedPrefix = "readers need ";

/** The migrations of a folder, in the order of drizzle's journal. Throws for an unknown or misplaced directive. */
function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const known = new Set<string>();
  return journal.entries.map(({ tag, when }) => {
    known.add(tag);
    const text = readFileSync(path.join(folder, `${tag}.sql`), "utf8");
    const migration = parse(tag, text);
    if (migration.readersNeed !== null && !known.has(migration.readersNeed))
      throw new Error(
        `${tag}.sql says "readers need ${migration.readersNeed}", but there is no such migration up to this one`,
      );
    return { tag, when, hash: createHash("sha256").update(text).digest("hex"), ...migration };
  });
}

function parse(tag: string, text: string): Pick<Migration, "transactional" | "readersNeed" | "steps"> {
  const transactional = !directivesOf(text).includes("no transaction");
  const steps = text.split(breakpoint).map((sql) => ({ sql, repeats: directivesOf(sql).includes("repeat") }));
  let readersNeed: string | null = null;
  for (const name of directivesOf(text)) {
    if (name.startsWith(readersNeedPrefix)) readersNeed = name.slice(readersNeedPrefix.length);
    else if (name !== "no transaction" && name !== "repeat")
      throw new Error(`${tag}.sql: unknown directive "-- gatehouse: ${name}"`);
  }
  if (transactional && steps.some((step) => step.repeats))
    throw new Error(`${tag}.sql: only a file with "-- gatehouse: no transaction" can repeat a step`);
  return { transactional, readersNeed, steps: steps.filter(({ sql }) => sql.trim() !== "") };
}

function directivesOf(text: string): string[] {
  return [...text.matchAll(directives)].map(([, name = ""]) => name);
}

/** drizzle's own migrator uses the same schema and table. */
const historyTables = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.readers_need (migration text primary key)`;

/** The migrations that this database lacks. Throws if this release cannot read its newer schema. */
async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await assertReadable(client, migrations);
  if (!(await exists(client, "drizzle.__drizzle_migrations"))) return migrations;
  const { rows } = await client.query<{ created_at: string }>(
    "select created_at from drizzle.__drizzle_migrations",
  );
  const applied = new Set(rows.map((row) => Number(row.created_at)));
  return migrations.filter(({ when }) => !applied.has(when));
}

/**
 * Throws if this release cannot read the database's schema. A newer schema is usually readable, because the
 * previous release must run on it. A migration that breaks this says so ("readers need"), and the database
 * stores that with it.
 */
async function assertReadable(client: pg.Client, migrations: Migration[]): Promise<void> {
  if (!(await exists(client, "drizzle.readers_need"))) return;
  const { rows } = await client.query<{ migration: string }>(
    "select migration from drizzle.readers_need order by 1",
  );
  const known = new Set(migrations.map(({ tag }) => tag));
  const missing = rows.map(({ migration }) => migration).filter((tag) => !known.has(tag));
  if (missing.length > 0)
    throw new Error(
      `its schema is newer than this release can read: it needs a release with ${missing.join(", ")}, and this one ends at ${migrations.at(-1)?.tag}. Start the newer release`,
    );
}

/** Records an applied migration. */
async function remember(client: pg.Client, { hash, when, readersNeed }: Migration): Promise<void> {
  if (readersNeed !== null)
    await client.query("insert into drizzle.readers_need values ($1) on conflict do nothing", [readersNeed]);
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
    hash,
    when,
  ]);
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query("select to_regclass($1) is not null as known", [table]);
  return rows[0].known;
}
