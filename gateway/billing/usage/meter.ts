import type { Logger } from "pino";
import type { Reached } from "#gateway/billing/budgets/book.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type Batch, createBatch } from "#gateway/platform/core/batch.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { isRejectedData } from "#gateway/platform/database/failed-query.ts";
import { writeNew } from "#gateway/platform/database/write-rows.ts";
import { Journal, type JournalEntry, replayJournals, type Settlement } from "./journal.ts";
import { isPriced, recordUsage } from "./record.ts";

/** Runs that may wait to be written; beyond this no more are admitted, because they could not be metered. */
const maxWaiting = 50_000;
/** PostgreSQL's state for a row whose day has no partition. */
const withoutPartition = "23514";

/** Reports budget thresholds that were reached. */
export interface BudgetTeller {
  /** Called in the transaction that metered the runs. */
  write(queries: Queries, reached: readonly Reached[]): Promise<void>;
  /** Called after that transaction has committed. */
  announce(reached: readonly Reached[]): void;
}

export interface Meter extends Batch<Settlement> {
  /** Also records the usage in the data folder; after this the run can be answered. */
  add(settlement: Settlement): void;
  /** The same with the other runs that end in this turn of the event loop: the run can be answered when this resolves. */
  addSoon(settlement: Settlement): Promise<void>;
  /** Throws `service_unavailable` while too many runs wait to be written. */
  assertRoom(): void;
}

/**
 * A meter whose entries survive the death of this process, and that also meters the runs of dead processes on
 * the same data folder.
 */
export async function openMeter(
  dataDir: string,
  database: Database,
  log: Logger,
  teller: BudgetTeller,
): Promise<Meter> {
  const journal = new Journal(dataDir, log);
  const meter = createMeter(database, log, teller, journal);
  const write = meteringWrite(database, log, teller, isNeverTaken);
  const replaying = await replayJournals({ dataDir, pool: database.pool, log, write });
  return {
    ...meter,
    async close() {
      replaying.stop();
      await meter.close();
      journal.close();
    },
  };
}

/** Meters sync operations in batches; a prediction is metered by `recordUsage` in its own settling transaction. */
export function createMeter(
  database: Database,
  log: Logger,
  teller: BudgetTeller,
  journal: Journal | null = null,
): Meter {
  const write = meteringWrite(database, log, teller, isRejectedData);
  const batch = createBatch<PendingSettlement>(
    "usage",
    log,
    async (settlements) => {
      journal?.turn();
      await write(settlements);
      for (const { entry } of settlements) if (entry) journal?.written(entry);
    },
    "keep all",
  );
  return {
    ...batch,
    add(settlement) {
      const { usage } = settlement;
      batch.add({ ...settlement, entry: usage && journal ? journal.append({ ...settlement, usage }) : null });
    },
    async addSoon(settlement) {
      const { usage } = settlement;
      const entry = usage && journal ? await journal.appendSoon({ ...settlement, usage }) : null;
      batch.add({ ...settlement, entry });
    },
    assertRoom() {
      if (batch.waiting() >= maxWaiting)
        throw new ApiError(
          "service_unavailable",
          "The database is unavailable, so the usage of this operation could not be recorded. Try again later.",
        );
    },
  };
}

interface PendingSettlement extends Settlement {
  entry: JournalEntry | null;
}

/**
 * Also true for a day whose partition was dropped: either the run was written while the partition existed, or
 * it can never be stored.
 */
function isNeverTaken(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return isRejectedData(error) || code === withoutPartition || (cause !== undefined && isNeverTaken(cause));
}

/**
 * Writes runs; one by one if the database permanently rejects one of them, so that it cannot block the
 * others.
 */
function meteringWrite(
  database: Database,
  log: Logger,
  teller: BudgetTeller,
  isRejected: (error: unknown) => boolean,
): (settlements: readonly Settlement[]) => Promise<void> {
  return async function write(settlements) {
    try {
      const runs = settlements.flatMap(({ usage }) => usage ?? []);
      const reserved = settlements.filter((settlement) => settlement.reserved).map(({ runId }) => runId);
      const reservedMoney = settlements.flatMap(({ runId, reservedMoney: has }) => (has ? runId : []));
      await writeNew(async (areNew) => {
        const ends = { reserved, reservedMoney, areNew };
        if (reservedMoney.length === 0 && !isPriced(runs)) return recordUsage(database.queries, runs, ends);
        const reached = await database.transaction(async (queries) => {
          const found = await recordUsage(queries, runs, ends);
          await teller.write(queries, found);
          return found;
        });
        teller.announce(reached);
        return reached;
      });
    } catch (error) {
      if (!isRejected(error)) throw error;
      const half = settlements.length >> 1;
      if (half > 0) {
        await write(settlements.slice(0, half));
        await write(settlements.slice(half));
        return;
      }
      log.error({ err: error, usage: settlements }, "usage was dropped because the database rejects it");
    }
  };
}
