import type { RegionName } from "#contract/catalog.ts";
import { isTerminal, type Prediction } from "#contract/prediction.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { operationOfRun } from "#gateway/models/configuration/models/revisions.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { findPrediction } from "./read.ts";
import { removeUnlessKept } from "./run-files.ts";
import { settle } from "./settle.ts";
import { type PredictionRow, predictionView } from "./view.ts";

/** Longest wait for an upstream to confirm a cancel; the prediction is canceled in any case. */
const upstreamCancelMs = 5_000;
/** Sends a run's reference to all processes; one of them may hold the run. */
const stopChannel = "prediction_stop";

/**
 * Cancels a running prediction; a second cancel is not an error. Outputs that waited for guards are removed at once.
 * Throws `prediction_already_terminal`.
 */
export async function cancelPrediction(
  context: RunsContext,
  caller: Caller,
  id: string,
): Promise<Prediction> {
  const row = await findPrediction(context, caller.actor.accountId, id);
  const clearance = await Clearance.of(context, caller.actor, [row.model]);
  if (row.status === "canceled") return predictionView(context, row, clearance);
  if (isTerminal(row.status)) throw alreadyTerminal(row.status);
  const settled = await settle(context, id, { status: "canceled", by: caller.actor.name });
  if (!settled) {
    const now = await findPrediction(context, caller.actor.accountId, id);
    if (now.status !== "canceled") throw alreadyTerminal(now.status);
    return predictionView(context, now, clearance);
  }
  await recordAudit(context.database.queries, {
    accountId: row.accountId,
    actor: caller.actor,
    action: "prediction.canceled",
    targetId: id,
    ip: caller.ip,
    requestId: caller.requestId,
  });
  if (row.unchecked !== null)
    await removeUnlessKept(context, id, row.outputs ?? []).catch((error: unknown) =>
      context.log.warn({ err: error, prediction: id }, "hidden outputs will be removed when they expire"),
    );
  await cancelUpstream(context, row);
  return predictionView(context, settled, clearance);
}

function alreadyTerminal(status: string): ApiError {
  return new ApiError(
    "prediction_already_terminal",
    `This prediction already ${status}; it cannot be canceled.`,
  );
}

/** Stops runs that live in this process and were canceled through another one. */
export function stopCanceled({ database, providers }: RunsContext): Promise<() => void> {
  return database.listen(stopChannel, (payload) => {
    if (payload === "") return; // An empty payload only reports that the connection was restored.
    const ref = JSON.parse(payload) as ProviderRef;
    providers.byRef(ref).stop?.(ref);
  });
}

/** Cancels the run at the provider and ignores the answer. */
export async function cancelUpstream(context: RunsContext, row: PredictionRow): Promise<void> {
  const compiled = await operationOfRun(context, row);
  if (!row.providerRef || !compiled) return;
  try {
    const provider = context.providers.byRef(row.providerRef);
    if (provider.stop) context.database.notify(stopChannel, JSON.stringify(row.providerRef));
    await provider.cancel(row.providerRef, {
      id: row.id,
      accountId: row.accountId,
      model: compiled.model,
      operation: compiled.operation,
      engine: compiled.engine,
      region: row.svcRegion as RegionName,
      input: row.input ?? {},
      media: [],
      mediaUrl: async () => "",
      signal: AbortSignal.timeout(upstreamCancelMs),
      log: context.log,
    });
  } catch (error) {
    context.log.warn({ err: error, prediction: row.id }, "a run could not be canceled at the provider");
  }
}
