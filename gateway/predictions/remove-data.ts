import { and, eq, isNull, lt } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Sweep } from "#gateway/core/sweeps.ts";
import { predictions } from "#gateway/database/schema.ts";
import { removeRunDirectory } from "./media.ts";
import { timelineRow } from "./timeline.ts";
import type { PredictionRow } from "./view.ts";

const batchSize = 100;

/**
 * Removes outputs, inputs and provider references of predictions whose retention has passed (specification, "Limits").
 * Files go first: a crash in between only means that they are removed again.
 */
export async function removeExpiredData(context: Context): Promise<number> {
  const { queries } = context.database;
  const due = await queries
    .select()
    .from(predictions)
    .where(and(lt(predictions.expiresAt, clock.date()), isNull(predictions.dataRemovedAt)))
    .limit(batchSize);
  for (const row of due) {
    await forgetFiles(context, row);
    await queries
      .update(predictions)
      .set({
        input: null,
        outputs: null,
        media: [],
        providerRef: null,
        dataRemovedAt: clock.date(),
        timeline: [...row.timeline, timelineRow("data_removed")],
      })
      .where(eq(predictions.id, row.id));
    context.changes.announce(row.id);
  }
  return due.length;
}

export const predictionSweep: Sweep = { name: "predictions", run: removeExpiredData };

async function forgetFiles(context: Context, row: PredictionRow): Promise<void> {
  for (const { key } of [...(row.outputs ?? []), ...row.media]) await context.store.delete(key);
  await forgetUpstream(context, row);
  await removeRunDirectory(context, row.id);
}

/** Best effort: an unavailable upstream must not delay removing our own copies. */
async function forgetUpstream(context: Context, { id, providerRef }: PredictionRow): Promise<void> {
  if (!providerRef) return;
  try {
    await context.providers.byRef(providerRef).forget?.(providerRef);
  } catch (error) {
    context.log.warn({ err: error, prediction: id }, "a run's data could not be removed at the provider");
  }
}
