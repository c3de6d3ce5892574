import type { ApiType } from "#contract/catalog.ts";
import { newId, timeOfId } from "#contract/ids.ts";
import type { Reservation } from "#gateway/billing/usage/budgets.ts";
import type { Context } from "#gateway/context.ts";
import { measureFile } from "#gateway/models/providers/media/probe.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import type { Admitted } from "./admit.ts";
import { demandOf } from "./demand.ts";
import { maxCharge } from "./max-charge.ts";

/** A run that is about to start. */
export interface AdmittedRun {
  /** `gen_…` or `pred_…`; contains the time of admission. */
  id: string;
  /** Its reservation in its key's budget; null without one. */
  reserved: Reservation | null;
  /** The most that it can cost, reserved in money budgets; null without one. */
  reservedCost: string | null;
}

/** The bit rate assumed for audio that cannot be measured: 64 kbit/s, low so that the estimate is long. */
const thinAudioBytesPerSecond = 8_000;
/** Sync operations whose outputs are stored; async outputs are always stored. */
const storesOutputs: ReadonlySet<ApiType> = new Set(["image-generation", "image-editing"]);

/**
 * Admits a run: gives it an id, reserves its maximum usage and cost in budgets, and releases the rest at its
 * end. Throws `budget_exceeded`, `not_priced` or `storage_limit_exceeded` before anything has started.
 */
export async function withBudget<Result>(
  context: Context,
  admitted: Admitted,
  work: (run: AdmittedRun) => Promise<Result>,
): Promise<Result> {
  const { meter, budgets, storageLimit } = context;
  const { actor, body } = admitted;
  const { operation } = admitted.compiled;
  meter.assertRoom();
  const isAsync = operation.execution_mode === "async";
  if (isAsync || storesOutputs.has(operation.api_type)) await storageLimit.assertRoom(actor.accountId);
  const id = newId(isAsync ? "prediction" : "generation");
  try {
    const { billing_unit: unit } = operation;
    const { hasMoneyLimit } = actor;
    const isLimited = budgets.limits(actor, unit);
    const ask = isLimited || hasMoneyLimit ? demandOf(operation, body) : null;
    const reserved = ask && isLimited ? await budgets.reserve(actor, id, unit, ask) : null;
    const reservedCost = ask && hasMoneyLimit ? await reserveMoney(context, admitted, id) : null;
    return await work({ id, reserved, reservedCost });
  } finally {
    budgets.giveBack(id);
  }
}

/**
 * Reserves for a transcription once its audio has been received and can be measured; null: nothing to
 * reserve. Throws as `withBudget`.
 */
export function reserveMeasured(
  context: Context,
  admitted: Admitted,
  run: AdmittedRun,
  media: readonly ResolvedMedia[],
): Promise<void> | null {
  const { actor, body } = admitted;
  const { operation } = admitted.compiled;
  const isLimited = actor.hasMoneyLimit || context.budgets.limits(actor, operation.billing_unit);
  if (!isLimited || demandOf(operation, body) !== null) return null;
  return measureAndReserve(context, admitted, run, media);
}

async function measureAndReserve(
  context: Context,
  admitted: Admitted,
  { id }: AdmittedRun,
  media: readonly ResolvedMedia[],
): Promise<void> {
  const { actor, compiled } = admitted;
  const unit = compiled.operation.billing_unit;
  let seconds = 0;
  for (const { file, kind, sizeBytes } of media)
    seconds += (await measureFile(file, kind)).duration ?? sizeBytes / thinAudioBytesPerSecond;
  const quantity = Math.max(1, Math.ceil(seconds));
  await context.budgets.reserve(actor, id, unit, { quantity });
  if (actor.hasMoneyLimit) await reserveMoney(context, admitted, id, quantity);
}

function reserveMoney(
  context: Context,
  admitted: Admitted,
  id: string,
  quantity: number | null = null,
): Promise<string | null> {
  const { actor, batchId = null, compiled, metadata } = admitted;
  const most = maxCharge(context, admitted, timeOfId(id), quantity);
  return context.money.reserve({ actor, batchId, metadata }, { id, model: compiled.model.id, most });
}
