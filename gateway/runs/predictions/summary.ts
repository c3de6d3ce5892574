import { predictionStatuses } from "#contract/prediction-constants.ts";
import type { FirstSteps, Summary } from "#contract/summary.ts";
import type { Context } from "#gateway/context.ts";
import { countDeliveries } from "#gateway/events/webhooks/deliveries/list.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { countByStatus } from "#gateway/platform/database/count-by-status.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";

const periodMs = 24 * 3_600_000;

/** The account's activity of the last 24 hours, as far as the caller may read it. */
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

/** Which first steps an account has done; each query reads the first row of an index. */
async function readFirstSteps({ database }: Context, accountId: string): Promise<FirstSteps> {
  const { rows } = await database.queries.execute<FirstSteps & Record<string, unknown>>(sql`
    select
      exists (select from predictions where account_id = ${accountId})
        or exists (select from usage_daily where account_id = ${accountId}) as ran_model,
      exists (select from api_keys where account_id = ${accountId}) as created_key,
      exists (select from api_keys where account_id = ${accountId} and last_used_at is not null) as used_key,
      exists (select from webhook_endpoints where account_id = ${accountId}) as added_endpoint,
      exists (select from webhook_endpoints where account_id = ${accountId} and last_success_at is not null)
        as received_event`);
  const [steps] = rows;
  if (!steps) throw new Error("the first steps of an account are always one row");
  return steps;
}
