import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { mayTakeSlot } from "#gateway/platform/core/fair-queue.ts";
import {
  type InHand,
  instanceId,
  type Lease,
  leaseMs,
  startLeasedLoop,
} from "#gateway/platform/core/leased-loop.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { responseJobs } from "#gateway/platform/database/schema.ts";
import {
  afterFailure,
  NoRoomError,
  outcomeUnknown,
  retryUntilSaved,
  TakenOverError,
} from "#gateway/runs/operations/unattended-run.ts";

import { responseJobChannel } from "./accept.ts";
import { type ResponseProgress, runJob } from "./run.ts";
import { isLeased, type Job, settleFailed } from "./settle.ts";

/** Responses that one process makes at once. */
const slots = 32;
const pollMs = 1_000;

/** Runs background responses. */
export async function startResponseWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const loop = startLeasedLoop<Job>(context, {
    name: "responses",
    slots,
    pollMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ id }) => id,
    accountOf: ({ accountId }) => accountId,
    claim: (limit, inHand, busy) => claim(context, limit, inHand, busy),
    run(job, lease) {
      const run = () => step(context, job, lease);
      return context.telemetry ? context.telemetry.resume(job.traceParent, run) : run();
    },
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

/** Leases due jobs of accounts that do not already hold all slots, including jobs whose process died. */
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
      leaseExpiresAt: fromNow(leaseMs),
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
  const progress: ResponseProgress = { isDispatched: false, cut: null };
  const log = context.log.child({ response: job.id });
  const fail = (failure: ApiError) =>
    retryUntilSaved({ log, signal: lease.signal }, job.deadlineAt, () =>
      settleFailed(context, job, failure, progress.cut),
    );
  if (job.dispatchedAt !== null)
    return fail(
      outcomeUnknown(
        "The gateway stopped while it was making this response, so whether the model ran is unknown.",
      ),
    );
  if (job.deadlineAt <= clock.date())
    return fail(new ApiError("upstream_timeout", "This response could not be made before its deadline."));
  try {
    await runJob(context, job, progress, lease);
  } catch (error) {
    if (error instanceof TakenOverError) return;
    const after =
      error instanceof NoRoomError
        ? ({ next: "try again", afterMs: error.waitMs, attempts: job.attempts } as const)
        : afterFailure(error, progress, job.attempts, lease);
    if (after.next === "leave") return;
    if (after.next === "end") {
      if (!(error instanceof ApiError)) log.error({ err: error }, "a response failed unexpectedly");
      return fail(after.failure);
    }
    await retryUntilSaved({ log, signal: lease.signal }, job.deadlineAt, () => putBack(context, job, after));
  }
}

async function putBack(
  { database }: Context,
  job: Job,
  { afterMs, attempts }: { afterMs: number; attempts: number },
): Promise<void> {
  await database.queries
    .update(responseJobs)
    .set({
      leaseOwner: null,
      leaseExpiresAt: null,
      dispatchedAt: null,
      attempts,
      nextCheckAt: fromNow(afterMs),
    })
    .where(isLeased(job));
}
