import { EventEmitter, once } from "node:events";
import type { Database } from "#gateway/platform/database/database.ts";

export const predictionChannel = "prediction_changed";
/** The longest delay if a NOTIFY is lost. */
const backstopMs = 2_000;

/** Notifies waiting requests, in any process, that a prediction changed. */
export interface PredictionChanges {
  announce(id: string): void;
  /** Resolves at the next change of the prediction, at the latest after `backstopMs`, or when aborted. */
  next(id: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function createPredictionChanges(database: Database): Promise<PredictionChanges> {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  const stop = await database.listen(predictionChannel, (id) => emitter.emit(id));
  return {
    announce(id) {
      emitter.emit(id);
      database.notify(predictionChannel, id);
    },
    async next(id, signal) {
      try {
        await once(emitter, id, { signal: AbortSignal.any([signal, AbortSignal.timeout(backstopMs)]) });
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "AbortError") throw error;
      }
    },
    async close() {
      stop();
      emitter.removeAllListeners();
    },
  };
}
