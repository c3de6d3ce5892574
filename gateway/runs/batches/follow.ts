import type { BillingUnit, RegionName } from "#contract/catalog.ts";
import type { Context } from "#gateway/context.ts";
import { and, eq, inArray, type SQL } from "#gateway/platform/database/drizzle.ts";
import { batchRows, predictions } from "#gateway/platform/database/schema.ts";
import type { RowRecord } from "./read.ts";
import { type RowOutcome, settleRow } from "./settle-row.ts";

const atOnce = 100;

/** Ends the rows whose predictions have ended. Safe in several processes at once. True when more may be left. */
export async function followPredictions(context: Context): Promise<boolean> {
  const ended = await context.database.queries
    .select({ row: batchRows, prediction: predictions })
    .from(batchRows)
    .innerJoin(predictions, eq(predictions.id, batchRows.predictionId))
    .where(
      and(eq(batchRows.status, "running"), inArray(predictions.status, ["succeeded", "failed", "canceled"])),
    )
    .limit(atOnce);
  for (const { row, prediction } of ended)
    await settleRow(context, row, isFollowed(row), outcomeOf(prediction));
  return ended.length === atOnce;
}

function isFollowed({ batchId, row, predictionId }: RowRecord): SQL | undefined {
  return and(
    eq(batchRows.batchId, batchId),
    eq(batchRows.row, row),
    eq(batchRows.status, "running"),
    eq(batchRows.predictionId, predictionId ?? ""),
  );
}

/** Its usage is metered with the prediction. */
function outcomeOf(prediction: typeof predictions.$inferSelect): RowOutcome {
  const { status, error, outputs, expiresAt, completedAt, sandbox, charge, chargeReason } = prediction;
  if (status === "canceled") return { status, error: null, charge, chargeReason };
  if (status !== "succeeded") return { status: "failed", error, charge, chargeReason };
  return {
    status,
    output: null,
    files: outputs,
    expiresAt: expiresAt ?? completedAt ?? prediction.createdAt,
    unit: prediction.usageUnit as BillingUnit,
    quantity: prediction.usageQuantity ?? 0,
    svcRegion: prediction.svcRegion as RegionName,
    sandbox,
    charge,
    chargeReason,
  };
}
