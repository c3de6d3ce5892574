import type { TimelineEvent, TimelineEventName } from "#contract/prediction.ts";
import { forgetOutputs, removeFilesOf } from "#gateway/files/storage/remove-files.ts";
import type { Providers } from "#gateway/models/providers/providers.ts";
import { Breaker } from "#gateway/platform/core/breaker.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { inParallel } from "#gateway/platform/core/together.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, isNull, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { removeRunDirectory } from "./run-files.ts";

const batchSize = 500;
const forgottenAtOnce = 16;

type Due = Pick<typeof predictions.$inferSelect, "id" | "accountId" | "outputs" | "media" | "providerRef">;

/**
 * Removes outputs, inputs and provider references of a batch of predictions whose retention has ended
 * (specification, "Limits"). Files go first: after a crash in between they are only removed again.
 */
async function removeExpiredData(context: RunsContext): Promise<boolean> {
  return context.database.transaction(async (queries) => {
    const due = await queries
      .select({
        id: predictions.id,
        accountId: predictions.accountId,
        outputs: predictions.outputs,
        media: predictions.media,
        providerRef: predictions.providerRef,
      })
      .from(predictions)
      .where(and(lte(predictions.expiresAt, sql`now()`), isNull(predictions.dataRemovedAt)))
      .orderBy(predictions.expiresAt)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    const gone = await removeFilesOf(context, queries, due, keysOf, (rows) =>
      inParallel(rows, forgottenAtOnce, async (row) => {
        await forgetUpstream(context, row);
        await removeRunDirectory(context, row.id);
      }),
    );
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) return false;
    await forgetOutputs(queries, ids);
    await queries
      .update(predictions)
      .set({
        input: null,
        outputs: null,
        media: [],
        providerRef: null,
        dataRemovedAt: clock.date(),
        timeline: sql`${predictions.timeline} || ${JSON.stringify([timelineRow("data_removed")])}::jsonb`,
      })
      .where(inArray(predictions.id, ids));
    await forgetFailures(
      queries,
      gone.filter(({ accountId }) => context.retention.minutesOf(accountId) !== null).map(({ id }) => id),
    );
    return due.length === batchSize;
  });
}

/** A failure may quote the input. */
export const forgottenFailure = "What the provider said was removed.";

/** Where an owner chose a shorter retention, only the codes of failures stay. */
async function forgetFailures(queries: Queries, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const words = sql`to_jsonb(${forgottenFailure}::text)`;
  await queries.execute(sql`
    update predictions set error = jsonb_set(error, '{message}', ${words}), timeline = (
      select jsonb_agg(
        case when step -> 'detail' ? 'message' then jsonb_set(step, '{detail,message}', ${words}) else step end order by n)
      from jsonb_array_elements(timeline) with ordinality as steps (step, n))
    where id = any (${sql.param(ids)}) and error is not null`);
}

function keysOf({ outputs, media }: Due): string[] {
  return [...(outputs ?? []), ...media].map(({ key }) => key);
}

export const predictionSweep: Sweep<RunsContext> = {
  kind: "predictions",
  run: removeExpiredData,
  oldestDue: () =>
    "select min(expires_at) from predictions where expires_at is not null and data_removed_at is null",
};

/** For each upstream, whether it is skipped for a while because it could not delete a prediction's data. */
const breakers = new WeakMap<Providers, Map<string, Breaker>>();

/**
 * Best effort: an unavailable upstream must not delay the removal of our own copies, so that upstream is
 * skipped for a while.
 */
async function forgetUpstream(context: RunsContext, { id, providerRef }: Due): Promise<void> {
  if (!providerRef) return;
  const { log, providers } = context;
  const breaker = breakerOf(providers, `${providerRef.provider} ${providerRef.region}`);
  if (!breaker.enter()) {
    log.warn({ prediction: id }, "a run's data stays at the provider, which failed to remove others'");
    return;
  }
  try {
    await providers.byRef(providerRef).forget?.(providerRef);
    breaker.report("success");
  } catch (error) {
    breaker.report("failure");
    log.warn({ err: error, prediction: id }, "a run's data could not be removed at the provider");
  }
}

function breakerOf(providers: Providers, name: string): Breaker {
  const known = breakers.get(providers) ?? new Map<string, Breaker>();
  breakers.set(providers, known);
  const breaker = known.get(name) ?? new Breaker();
  known.set(name, breaker);
  return breaker;
}

/** One row of a prediction's timeline; `at` defaults to now. */
export function timelineRow(
  event: TimelineEventName,
  detail: Record<string, unknown> | null = null,
  at: Date = clock.date(),
): TimelineEvent {
  return { at: at.toISOString(), event, detail };
}

/** Removes only predictions that have ended and have no input or output files any more. */
export const predictionHistorySweep = agedRowSweep({
  kind: "prediction_history",
  table: "predictions",
  idKind: "prediction",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "data_removed_at is not null and status not in ('starting', 'processing')",
});
