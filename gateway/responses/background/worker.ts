import { eq, sql } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { mayTakeSlot } from "#gateway/core/fair-share.ts";
import { instanceId, leaseMs } from "#gateway/core/instance.ts";
import { type InHand, type Lease, startLeasedLoop } from "#gateway/core/leased-loop.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import { responseJobs, responses } from "#gateway/database/schema.ts";
import { isDatabaseUnavailable } from "#gateway/database/unavailable.ts";
import { asApiError } from "#gateway/operations/dispatch.ts";
import { retryUntilSaved } from "#gateway/predictions/retry-until-saved.ts";
import { responseJobChannel } from "./accept.ts";
import { isLeased, type Job } from "./job.ts";
import { NoLongerOursError, type Progress, runJob } from "./run.ts";
import { failed, settleJob } from "./settle.ts";

/** Responses that one process makes at once. */
const slots = 32;
const pollMs = 1_000;
/** How often one that certainly did not start is tried, and how long it waits: twice as long each time. */
const maxAttempts = 6;
const firstWaitMs = 3_000;
const leaseSeconds = leaseMs / 1000;

/** Makes responses in the background. */
export async function startResponseWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const loop = startLeasedLoop<Job>(context, {
    name: "responses",
    slots,
    pollMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ id }) => id,
    accountOf: ({ accountId }) => accountId,
    claim: (limit, inHand, busy) => claim(context, limit, inHand, busy),
    run: (job, lease) => step(context, job, lease),
    renew: (inHand) => renew(context, inHand),
  });
  const stopListening = await context.database.listen(responseJobChannel, () => loop.wake());
  return {
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}

/** Leases jobs that are due, of accounts that do not hold all slots already; also those whose process died. */
async function claim(
  { database }: Context,
  limit: number,
  inHand: InHand,
  busy: ReadonlyMap<string, number>,
): Promise<Job[]> {
  const waiting = [...busy].filter(([, own]) => !mayTakeSlot(limit, own)).map(([account]) => account);
  return database.queries
    .update(responseJobs)
    .set({
      leaseOwner: instanceId,
      leaseExpiresAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
    })
    .where(
      sql`${responseJobs.id} = any (array(
        select j.id from ${responseJobs} j
        where j.next_check_at <= now() and (j.lease_expires_at is null or j.lease_expires_at < now())
          and j.id <> all (${sql.param([...inHand.keys()])}::text[])
          and j.account_id <> all (${sql.param(waiting)}::text[])
        order by j.next_check_at limit ${limit} for update skip locked))`,
    )
    .returning();
}

async function renew({ database }: Context, inHand: InHand): Promise<void> {
  await database.pool.query(
    `update response_jobs j
     set lease_expires_at = greatest(j.lease_expires_at, now() + make_interval(secs => held.ms / 1000.0))
     from unnest($2::text[], $3::int[]) as held (key, ms)
     where j.lease_owner = $1 and j.id = held.key`,
    [instanceId, [...inHand.keys()], [...inHand.values()]],
  );
}

async function step(context: Context, job: Job, lease: Lease): Promise<void> {
  const progress: Progress = { isDispatched: false };
  const { signal } = lease;
  const log = context.log.child({ response: job.id });
  try {
    if (job.dispatchedAt !== null)
      throw new ApiError(
        "upstream_outcome_unknown",
        "The process that made this response ended before it was kept. Whether it ran is unknown, so it was not sent again.",
      );
    if (job.deadlineAt <= clock.date())
      throw new ApiError("upstream_timeout", "This response could not be made in time.");
    await runJob(context, job, progress, lease);
  } catch (error) {
    if (error instanceof NoLongerOursError) return;
    // That the upstream failed or did not start is an answer too, which only this process has.
    await retryUntilSaved({ log, signal }, job.deadlineAt, () =>
      afterFailure(context, job, error, progress, signal),
    );
  }
}

async function afterFailure(
  context: Context,
  job: Job,
  error: unknown,
  { isDispatched }: Progress,
  signal: AbortSignal,
): Promise<void> {
  const upstream = upstreamError(error);
  const hasStarted = isDispatched && upstream?.started !== "no";
  // This process stops: what is under way is ended by who takes it over.
  if (signal.aborted) return hasStarted ? undefined : putBack(context, job, 0, job.attempts);
  const failure = asApiError(error);
  const mayPass = (failure.status >= 500 || failure.status === 429) && !upstream?.final;
  const isUnknown = failure.code === "upstream_outcome_unknown";
  if (!hasStarted && mayPass && !isUnknown && job.attempts + 1 < maxAttempts)
    return putBack(context, job, firstWaitMs * 2 ** job.attempts, job.attempts + 1);
  if (!(error instanceof ApiError || error instanceof ProviderError))
    context.log.error({ err: error, response: job.id }, "a response in the background failed unexpectedly");
  const [row] = await context.database.queries
    .select({ response: responses.response })
    .from(responses)
    .where(eq(responses.id, job.id));
  if (row) await settleJob(context, job, failed(row.response, failure), null);
}

async function putBack({ database }: Context, job: Job, afterMs: number, attempts: number): Promise<void> {
  await database.queries
    .update(responseJobs)
    .set({
      leaseOwner: null,
      leaseExpiresAt: null,
      dispatchedAt: null,
      attempts,
      nextCheckAt: sql`now() + make_interval(secs => ${afterMs / 1000})`,
    })
    .where(isLeased(job));
}

function upstreamError(error: unknown): ProviderError | null {
  if (error instanceof ProviderError) return error;
  return error instanceof ApiError && error.cause instanceof ProviderError ? error.cause : null;
}
