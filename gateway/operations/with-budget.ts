import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { measureFile } from "#gateway/providers/media/probe.ts";
import type { ResolvedMedia } from "#gateway/providers/provider.ts";
import type { Ask, Reservation } from "#gateway/usage/budgets.ts";
import type { Admitted } from "./admit.ts";

/** A run that is about to start. */
export interface AdmittedRun {
  /** `gen_…` or `pred_…`; contains the time of admission. */
  id: string;
  /** Its reservation on its key's budget; null without one. */
  reserved: Reservation | null;
}

/** The bit rate assumed for audio that cannot be measured, low so that the estimate is long: 64 kbit/s. */
const thinAudioBytesPerSecond = 8_000;
/** Sync operations whose outputs are stored; those of async ones always are. */
const storesOutputs: ReadonlySet<ApiType> = new Set(["image-generation", "image-editing"]);

/**
 * Admits a run: gives it its id, reserves what it may use of its key's budget, and releases the unsettled rest at its
 * end. Throws `budget_exceeded` or `storage_limit_exceeded` before anything has started.
 */
export async function withBudget<Result>(
  { meter, budgets, storageLimit }: Context,
  { actor, compiled, body }: Admitted,
  work: (run: AdmittedRun) => Promise<Result>,
): Promise<Result> {
  const { operation } = compiled;
  meter.assertRoom();
  const isAsync = operation.execution_mode === "async";
  if (isAsync || storesOutputs.has(operation.api_type)) await storageLimit.assertRoom(actor.accountId);
  const id = newId(isAsync ? "prediction" : "generation");
  try {
    const ask = demandOf(operation, body);
    const reserved = ask && (await budgets.reserve(actor, id, operation.billing_unit, ask));
    return await work({ id, reserved });
  } finally {
    budgets.giveBack(id);
  }
}

/** Reserves for a transcription once its audio has been received and can be measured. Throws `budget_exceeded`. */
export async function reserveMeasured(
  { budgets }: Context,
  { actor, compiled: { operation }, body }: Admitted,
  { id }: AdmittedRun,
  media: readonly ResolvedMedia[],
): Promise<void> {
  const unit = operation.billing_unit;
  if (demandOf(operation, body) !== null || !budgets.limits(actor, unit)) return;
  let seconds = 0;
  for (const { file, kind, sizeBytes } of media)
    seconds += (await measureFile(file, kind)).duration ?? sizeBytes / thinAudioBytesPerSecond;
  await budgets.reserve(actor, id, unit, { quantity: Math.max(1, Math.ceil(seconds)) });
}

/** The units that a run may use at most, if its input alone says so. */
export function unitsAtMost({ compiled, body }: Admitted): number | null {
  const ask = demandOf(compiled.operation, body);
  return ask === null || "runs" in ask ? null : ask.quantity;
}

/** What a run may use, from its input alone; null if that depends on its media. */
function demandOf(operation: CatalogOperation, body: Record<string, unknown>): Ask | null {
  switch (operation.billing_unit) {
    case "token": {
      const most = body.max_completion_tokens ?? body.max_tokens;
      const answers = positive(body, "n") ?? 1;
      return typeof most === "number" ? { quantity: most * answers } : { runs: answers };
    }
    case "character":
      return { quantity: typeof body.input === "string" ? [...body.input].length : 0 };
    case "generation":
      return { quantity: positive(body, "n") ?? Math.max(1, ...positiveInFreeObjects(body, "n")) };
    case "second":
      if (operation.api_type === "audio-transcription") return null;
      return { quantity: positive(body, "duration") ?? longest(operation, body) };
    case "operation":
      return { quantity: 1 };
  }
}

/** The seconds to reserve when the model chooses them. */
function longest({ limits }: CatalogOperation, body: Record<string, unknown>): number {
  const { maxDurationSeconds } = limits;
  const most = typeof maxDurationSeconds === "number" ? maxDurationSeconds : 1;
  return Math.max(most, ...positiveInFreeObjects(body, "duration"));
}

function positive(fields: Record<string, unknown>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && value > 0 ? value : null;
}

/** The field in the free objects, which an upstream may obey if the field itself is missing. */
function positiveInFreeObjects({ input, parameters }: Record<string, unknown>, name: string): number[] {
  return [input, parameters].flatMap((free) =>
    typeof free === "object" && free !== null ? (positive(free as Record<string, unknown>, name) ?? []) : [],
  );
}
