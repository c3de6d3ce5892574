import type { BatchCheck, BatchCheckRequest } from "#contract/batches.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { checkRows } from "./check-rows.ts";

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
  };
}
