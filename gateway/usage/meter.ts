import type { Logger } from "pino";
import type { Reached } from "#gateway/budgets/book.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { type Batch, createBatch } from "#gateway/core/batch.ts";
import type { Database, Queries } from "#gateway/database/database.ts";
import { isRejectedData } from "#gateway/database/rejected-data.ts";
import { writeNew } from "#gateway/database/write-new.ts";
import type { RunUsage } from "./lines.ts";
import { isPriced, recordUsage } from "./record.ts";

/** Runs that may wait to be written; beyond this no more are admitted, since they could not be metered. */
const maxWaiting = 50_000;

/** The end of a sync run: what it used, if anything, and whether it had reservations, in units and in money. */
export interface Settlement {
  runId: string;
  usage: RunUsage | null;
  reserved: boolean;
  reservedMoney?: boolean;
}

/** Tells of shares of budgets that were reached. */
export interface BudgetTeller {
  /** In the transaction that metered the runs. */
  write(queries: Queries, reached: readonly Reached[]): Promise<void>;
  /** After its commit. */
  announce(reached: readonly Reached[]): void;
}

export interface Meter extends Batch<Settlement> {
  /** Throws `service_unavailable` while too many runs wait to be written. */
  assertRoom(): void;
}

/** Meters sync operations in batches; a prediction is metered by `recordUsage` in its own settling transaction. */
export function createMeter(database: Database, log: Logger, teller: BudgetTeller): Meter {
  /** Written one by one if the database rejects one of them, so that it cannot block the others. */
  const write = async (settlements: Settlement[]): Promise<void> => {
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
      if (!isRejectedData(error)) throw error;
      const half = settlements.length >> 1;
      if (half > 0) {
        await write(settlements.slice(0, half));
        await write(settlements.slice(half));
        return;
      }
      log.error({ err: error, usage: settlements }, "usage was dropped because the database rejects it");
    }
  };
  const batch = createBatch("usage", log, write, "keep all");
  return {
    ...batch,
    assertRoom() {
      if (batch.waiting() >= maxWaiting)
        throw new ApiError(
          "service_unavailable",
          "The database is unavailable, so the usage of this operation could not be recorded. Try again later.",
        );
    },
  };
}
