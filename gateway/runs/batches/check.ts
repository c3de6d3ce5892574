import type { BatchCheck, BatchCheckRequest, BatchMostCost } from "#contract/batches.ts";
import { decimalText } from "#contract/money/decimal.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { type CheckedBatch, checkRows } from "./check-rows.ts";

/** What a batch of this would find, without running it. Throws as `checkRows`. */
export async function checkBatch(
  context: Context,
  actor: Actor,
  request: BatchCheckRequest,
): Promise<BatchCheck> {
  const checked = await checkRows(context, actor, request);
  const { model, operation } = checked.compiled;
  return {
    object: "batch.check",
    ok: checked.faultsTotal === 0,
    model: model.id,
    api_type: operation.api_type,
    rows: checked.rowsRead,
    faults: checked.faults,
    faults_total: checked.faultsTotal,
    ignored: [...checked.ignored],
    estimated: { unit: operation.billing_unit, quantity: checked.estimatedQuantity },
    most_cost: mostCostOf(checked.mostCharge, context.prices.book.currency),
  };
}

function mostCostOf(most: CheckedBatch["mostCharge"], currency: string): BatchMostCost {
  return typeof most === "bigint"
    ? { amount: decimalText(most), currency, reason: null }
    : { amount: null, currency, reason: most };
}
