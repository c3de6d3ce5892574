import type { Logger } from "pino";
import { firstIdAt, type IdKind, timeOfId, ulidOf } from "#contract/ids.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Database, Queries } from "./database.ts";
import { sql } from "./drizzle.ts";
import { deletion, isFullBatch } from "./row-sweep.ts";

const dayMs = 86_400_000;

const hourMs = 3_600_000;

/** Days for which rows can be written while no process creates partitions. */
const daysAhead = 14;

/** One process at a time creates partitions. */
const partitionsLock = 4_747_003;

/**
 * A table that only grows. It has one partition per day, so old days are dropped
 * whole; the first partition contains all rows from before the days.
 *
 * Only attempts, usage lines and contents are such tables; contents stay for few days, and their lists have no filters. They grow fastest, and dropping a day costs nothing, while deleting 200,000 attempts
 * took 0.6 s and 129 MB of WAL. Tables with lists have no partitions: with 45 of them lists of deliveries took 3 to 6
 * times as long, and filtered lists of predictions and requests 5 to 20 times, because the planner looks at every index of each.
 * There is no default partition: PostgreSQL would search it for each new day.
 */
export interface DailyTable {
  name: string;
  /** The column that determines a row's day. */
  key: string;
  /** The kind of ids in it. */
  idKind: IdKind;
  /** Whether the ids are stored without their prefix. */
  isBare: boolean;
}

export const attemptDays: DailyTable = {
  name: "webhook_attempts",
  key: "delivery_id",
  idKind: "delivery",
  isBare: false,
};

export const usageLineDays: DailyTable = {
  name: "usage_lines",
  key: "run",
  idKind: "generation",
  isBare: true,
};

export const contentDays: DailyTable = {
  name: "contents",
  key: "id",
  idKind: "generation",
  isBare: false,
};

const dailyTables = [attemptDays, usageLineDays, contentDays];

interface Partition {
  name: string;
  /** The first id after the partition. */
  end: string;
  /** Whether this is the first partition, with all rows from before the daily ones. */
  isFirst: boolean;
}

/** The partitions of a table, the oldest first. */
export async function readPartitions(queries: Queries, { name }: DailyTable): Promise<Partition[]> {
  const { rows } = await queries.execute<Partition & Record<string, unknown>>(sql`
    select child::text as name, substring(bounds from 'TO [(]''(.+)''[)]') as end,
      bounds like '%(MINVALUE)%' as "isFirst"
    from (
      select inhrelid::regclass as child, pg_get_expr(relpartbound, inhrelid) as bounds
      from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = ${name}::regclass
    ) partitions order by 2`);
  return rows;
}

/** The lowest key of a table for a given time. */
export function firstKeyAt({ idKind, isBare }: DailyTable, atMs: number): string {
  const id = firstIdAt(idKind, atMs);
  return isBare ? ulidOf(id) : id;
}

/**
 * Creates the partitions of the next days, at the start and every hour: a row without a partition would be
 * rejected.
 */
export async function keepPartitionsAhead({
  database,
  log,
}: {
  database: Database;
  log: Logger;
}): Promise<{ stop(): Promise<void> }> {
  let making = Promise.resolve();
  const make = () => {
    making = makePartitions(database).catch((error: unknown) =>
      log.error({ err: error }, "the partitions of the next days could not be made, will retry"),
    );
    return making;
  };
  const timer = setInterval(make, hourMs).unref();
  await make();
  return {
    stop() {
      clearInterval(timer);
      return making;
    },
  };
}

export async function makePartitions(database: Database): Promise<void> {
  for (const table of dailyTables) {
    if (reaches(table, await readLast(database.queries, table))) continue;
    await database.transaction(async (queries) => {
      await queries.execute(sql`select pg_advisory_xact_lock(${partitionsLock})`);
      await queries.execute(sql`set local lock_timeout = '1s'`);
      for (;;) {
        const last = await readLast(queries, table);
        if (reaches(table, last)) return;
        await addPartition(queries, table, last);
      }
    });
  }
}

async function readLast(queries: Queries, table: DailyTable): Promise<Partition> {
  const last = (await readPartitions(queries, table)).at(-1);
  if (!last) throw new Error(`${table.name} has no partition`);
  return last;
}

function reaches(table: DailyTable, { end }: Partition): boolean {
  return end >= firstKeyAt(table, clock.now() + daysAhead * dayMs);
}

/**
 * Adds the partition after the last one: one day, or everything up to the end of today if nothing ran for a
 * long time. Attaching a finished table blocks no readers or writers; creating it as a partition would.
 */
async function addPartition(queries: Queries, table: DailyTable, last: Partition): Promise<void> {
  const beginMs = timeOfId(last.end);
  const endMs = Math.max(beginMs, Math.floor(clock.now() / dayMs) * dayMs) + dayMs;
  const day = new Date(beginMs).toISOString().slice(0, 10).replaceAll("-", "");
  const parent = sql.identifier(table.name);
  const partition = sql.identifier(`${table.name}_${day}`);
  await queries.execute(
    sql`create table ${partition} (like ${parent} including defaults including storage including compression)`,
  );
  // PostgreSQL keeps statistics targets per table, so the new partition gets a copy of them.
  const { rows } = await queries.execute<{ column: string; target: number }>(sql`
    select attname as column, attstattarget as target from pg_attribute
    where attrelid = ${last.name}::regclass and attnum > 0 and not attisdropped and attstattarget >= 0`);
  for (const { column, target } of rows)
    await queries.execute(
      sql`alter table ${partition} alter column ${sql.identifier(column)} set statistics ${sql.raw(String(target))}`,
    );
  const [begin, end] = [last.end, firstKeyAt(table, endMs)].map((bound) => sql.raw(`'${bound}'`));
  await queries.execute(
    sql`alter table ${parent} attach partition ${partition} for values from (${begin}) to (${end})`,
  );
}

/** While dropping a partition waits for its lock, all statements on the table wait behind it. */
const dropLockTimeoutMs = 100;

const lockNotAvailable = "55P03";

interface AgingDays {
  kind: string;
  table: DailyTable;
  /** The column with the row's time. */
  at: string;
  /** How long rows are kept; null: for ever. */
  days: (context: PlatformContext) => number | null;
  /** The lowest key that is still needed, whatever its age; null if none is. */
  neededFrom?: (context: PlatformContext) => Promise<string | null>;
}

/** Drops a table's old days. In its first partition, which holds many days, deletes old rows instead. */
export function agedPartitionSweep({ kind, table, at, days, neededFrom }: AgingDays): Sweep {
  return {
    kind,
    async run(context) {
      const { database } = context;
      const kept = days(context);
      if (kept === null) return false;
      const due = firstKeyAt(table, clock.now() - kept * dayMs);
      const [oldest, next] = await readPartitions(database.queries, table);
      if (!oldest || (oldest.end > due && !oldest.isFirst)) return false;
      const needed = await neededFrom?.(context);
      const floor = needed && needed < due ? needed : due;
      // The last partition stays, because the next day begins at its end.
      if (oldest.end <= floor && next) return dropPartition(database, oldest.name);
      if (!oldest.isFirst) return false;
      const deleteBatch = deletion(oldest.name, `${table.key} < $1 order by ${table.key}`);
      return isFullBatch(await database.pool.query(deleteBatch, [floor]));
    },
    oldestDue(context) {
      const kept = days(context);
      // A day is dropped only when even its last row is old enough.
      return kept === null
        ? null
        : `select ${at} + interval '${kept + 1} days' from ${table.name} order by ${table.key} limit 1`;
    },
  };
}

/** Returns false while a long query, such as a backup, reads the table; tried again later. */
async function dropPartition(database: Database, name: string): Promise<boolean> {
  try {
    await database.transaction(async (queries) => {
      await queries.execute(sql.raw(`set local lock_timeout = ${dropLockTimeoutMs}`));
      await queries.execute(sql.raw(`drop table if exists ${name}`));
    });
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    if (cause?.code === lockNotAvailable) return false;
    throw error;
  }
}
