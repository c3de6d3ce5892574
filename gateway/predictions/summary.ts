import { predictionStatuses } from "#contract/prediction-constants.ts";
import type { Summary } from "#contract/summary.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { clock } from "#gateway/core/clock.ts";
import { countByStatus } from "#gateway/database/count-by-status.ts";
import { predictions } from "#gateway/database/schema.ts";
import { assertPermitted } from "#gateway/http/not-permitted.ts";
import { countDeliveries } from "#gateway/webhooks/deliveries/count.ts";
import { readFirstSteps } from "./first-steps.ts";

const periodMs = 24 * 3_600_000;

/** What an account did in the last 24 hours, as far as the caller may read it. */
export async function readSummary(context: Context, actor: Actor): Promise<Summary> {
  const { accountId, permissions, kind } = actor;
  const sinceMs = clock.now() - periodMs;
  const readsPredictions = permissions.has("predictions:read");
  const readsDeliveries = permissions.has("deliveries:read");
  if (!readsPredictions && !readsDeliveries)
    await assertPermitted(context.database.queries, actor, "predictions:read");
  const [ofPredictions, ofDeliveries, firstSteps] = await Promise.all([
    readsPredictions ? countPredictions(context, accountId, sinceMs) : null,
    readsDeliveries ? countDeliveries(context, accountId, sinceMs) : null,
    kind === "user" ? readFirstSteps(context, accountId) : null,
  ]);
  return {
    object: "summary",
    since: new Date(sinceMs).toISOString(),
    predictions: ofPredictions,
    deliveries: ofDeliveries,
    first_steps: firstSteps,
  };
}

function countPredictions({ database }: Context, accountId: string, sinceMs: number) {
  return countByStatus(database, predictions, {
    accountId,
    statuses: predictionStatuses,
    kind: "prediction",
    sinceMs,
  });
}
