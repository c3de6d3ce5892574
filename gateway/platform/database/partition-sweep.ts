import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Database } from "./database.ts";
import { sql } from "./drizzle.ts";
import { type DailyTable, firstKeyAt, readPartitions } from "./partitions.ts";
import { deletion, isFullBatch } from "./row-sweep.ts";

const dayMs = 86_400_000;
/** While dropping a partition waits for its lock, all statements on the table wait behind it. */
const dropLockTimeoutMs = 100;
const lockNotAvailable = "55P03";

interface AgingDays {
  kind: string;
  table: DailyTable;
  /** The column with the row's time. */
  at: string;
  /** How long rows are kept; null: for ever. */
  days: (context: BaseContext) => number | null;
  /** The lowest key that is still needed, whatever its age; null if none is. */
  neededFrom?: (context: BaseContext) => Promise<string | null>;
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
