import type { Logger } from "pino";
import { ApiError } from "#gateway/core/api-error.ts";
import { type Batch, createBatch } from "#gateway/core/batch.ts";
import type { Database } from "#gateway/database/database.ts";
import { isRejectedData } from "#gateway/database/rejected-data.ts";
import { type RunUsage, recordUsage } from "./record.ts";

/** Runs that may wait to be written; beyond it nothing more is run, since it could not be metered. */
const maxWaiting = 50_000;

/** How a sync run ended: what it used, if anything, and whether it had reserved some of its key's budget. */
export interface Settlement {
  runId: string;
  usage: RunUsage | null;
  reserved: boolean;
}

export interface Meter extends Batch<Settlement> {
  /** Throws `service_unavailable` while so much waits for the database that more could not be metered. */
  assertRoom(): void;
}

/** Meters sync operations in batches; a prediction is metered by `recordUsage` in its own settling transaction. */
export function createMeter(database: Database, log: Logger): Meter {
  /** One by one where the database rejects one of them, so that the others are not held up by it for ever. */
  const write = async (settlements: Settlement[]): Promise<void> => {
    try {
      const runs = settlements.flatMap(({ usage }) => usage ?? []);
      const reserved = settlements.filter((settlement) => settlement.reserved).map(({ runId }) => runId);
      await recordUsage(database.queries, runs, reserved);
    } catch (error) {
      if (!isRejectedData(error)) throw error;
      const half = settlements.length >> 1;
      if (half > 0) {
        await write(settlements.slice(0, half));
        await write(settlements.slice(half));
        return;
      }
      log.error({ err: error, usage: settlements }, "usage that the database rejects was dropped");
    }
  };
  const batch = createBatch("usage", log, write, "keep all");
  return {
    ...batch,
    assertRoom() {
      if (batch.waiting() >= maxWaiting)
        throw new ApiError(
          "service_unavailable",
          "The database has not answered for so long that what this operation uses could not be recorded.",
        );
    },
  };
}
