import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import { costOf } from "#gateway/billing/prices/price-lines.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import { chunkOf } from "#gateway/models/providers/chat-answers.ts";
import type { ProviderRequest, SyncResult } from "#gateway/models/providers/provider.ts";
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
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { keepContent, ranUnattended } from "#gateway/runs/contents/keep.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { answerOf } from "#gateway/runs/execution/answers.ts";
import { type ChatCompletionObject, formatWhole } from "#gateway/runs/execution/chat-front.ts";
import { type GuardedWork, withGuards } from "#gateway/runs/guards/with-guards.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { Candidates } from "#gateway/runs/operations/candidates.ts";
import { asApiError, dispatch } from "#gateway/runs/operations/dispatch.ts";
import {
  type StreamedChat,
  tracedUnless,
  usageOfCutStream,
  usageOfSync,
  withSyncRequest,
} from "#gateway/runs/operations/sync-request.ts";
import {
  afterFailure,
  countFailedStart,
  figuresOfAnswer,
  leaseOfCall,
  NoRoomError,
  outcomeUnknown,
  type Progress,
  retryUntilSaved,
  TakenOverError,
  takePlace,
  waitForTokens,
} from "#gateway/runs/operations/unattended-run.ts";
import {
  createTranscript,
  execute,
  openChat,
  type ProviderCall,
} from "#gateway/runs/operations/upstream-chat.ts";
import type { AdmittedRun } from "#gateway/runs/operations/with-budget.ts";
import { type FormattedResponse, formatResponse } from "../format-response.ts";
import { chatCall, type ResponseRequest } from "../request.ts";
import { readBackground, responseJobChannel } from "./accept.ts";
import { KeptEvents } from "./kept-events.ts";
import { isLeased, type Job, runOf, settleFailed, settleJob } from "./settle.ts";

/** Responses that one process makes at once. */
const slots = 32;

const pollMs = 1_000;

/** Runs background responses. */
export async function startResponseWorker(context: RunsContext): Promise<{ stop(): Promise<void> }> {
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
  { database }: RunsContext,
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

async function renew({ database }: RunsContext, inHand: InHand): Promise<void> {
  await database.pool.query(
    `update response_jobs j
     set lease_expires_at = greatest(j.lease_expires_at, now() + make_interval(secs => held.ms / 1000.0))
     from unnest($2::text[], $3::int[]) as held (key, ms)
     where j.lease_owner = $1 and j.id = held.key`,
    [instanceId, [...inHand.keys()], [...inHand.values()]],
  );
}

interface ResponseProgress extends Progress {
  /**
   * The usage of a stream that broke after its events could be read, or of an answer that a guard refused; null if the
   * account pays nothing.
   */
  cut: RunUsage | null;
}

interface Run {
  job: Job;
  read: ResponseRequest;
  admitted: Admitted;
  run: AdmittedRun;
  attempts: Attempts;
}

/** A run that stores its events while the upstream writes them. */
class StreamedRun {
  readonly kept: KeptEvents;
  readonly #read: ResponseRequest;
  readonly #job: Job;
  #formatter: FormattedResponse | null = null;
  /** The provider that answers, and its text so far. */
  begun: StreamedChat | null = null;

  readonly #isChecked: boolean;

  constructor(kept: KeptEvents, read: ResponseRequest, job: Job, isChecked: boolean) {
    this.kept = kept;
    this.#isChecked = isChecked;
    this.#read = read;
    this.#job = job;
  }

  /** Once it has begun, readers can see its events, so no other upstream may answer. */
  async execute(call: ProviderCall, attempts: Attempts): Promise<SyncResult> {
    const { provider, request } = call;
    const opened = await openChat(call);
    const formatter = this.#begin(request, attempts);
    this.#formatter = formatter;
    const transcript = createTranscript(request);
    this.begun = { provider, request, transcript };
    // Readers see events at once, so with a check all of them wait for the end.
    return opened.readAll(transcript, this.#isChecked ? undefined : (chunk) => formatter.chunk(chunk));
  }

  end(completion: ChatCompletionObject): FormattedResponse | null {
    if (this.#isChecked) this.#formatter?.chunk(chunkOf(completion));
    this.#formatter?.end(completion);
    return this.#formatter;
  }

  #begin({ model, region }: ProviderRequest, attempts: Attempts): FormattedResponse {
    attempts.hasContent = true;
    attempts.trace.began();
    const { runId: id, createdAt } = this.#job;
    const created = Math.floor(createdAt.getTime() / 1000);
    const stamp = { id, created, model: model.id, svc_region: region };
    // Sealed thoughts are stored here, and left out later for readers who did not request them.
    const options = { ...this.#read, showsSealed: true };
    const formatter = formatResponse(stamp, options, (type, data) => this.kept.add(type, data));
    formatter.head();
    return formatter;
  }
}

async function step(context: RunsContext, job: Job, lease: Lease): Promise<void> {
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

/**
 * Runs a background response as if its caller sent it now: permission, limits, gates and budget are checked
 * again.
 */
async function runJob(
  context: RunsContext,
  job: Job,
  progress: ResponseProgress,
  lease: Lease,
): Promise<void> {
  const actor = await readActorNow(context.database, job);
  await assertPermitted(context.database.queries, actor, "operations:run");
  const leave = await takePlace(context, actor);
  try {
    const read = await readBackground(context, actor, job.body);
    const attempts = new Attempts(context, new RunTrace());
    const call = { ...chatCall(read), declinesContents: job.declinesContents === true };
    const candidates = await Candidates.of(context, actor, call, attempts);
    const { signal } = lease;
    const { log } = context;
    const { trace } = attempts;
    const guarded: GuardedWork = { requestId: null, candidates, trace, signal, log, passed: new Set() };
    const runOnNext = (next: Admitted) =>
      withGuards(context, next, guarded, (admitted, run) =>
        runOn(context, { job, read, admitted, run, attempts }, progress, lease),
      ).catch(waitForTokens);
    await candidates.run(await candidates.admit(), runOnNext).catch(async (error: unknown) => {
      await countFailedStart(context, job.accountId, attempts.trace).catch((err: unknown) =>
        context.log.warn({ err, response: job.id }, "failed tries of a response could not be counted"),
      );
      throw error;
    });
  } finally {
    leave();
  }
}

async function runOn(
  context: RunsContext,
  { job, read, admitted, run, attempts }: Run,
  progress: ResponseProgress,
  lease: Lease,
): Promise<void> {
  const { signal } = lease;
  const log = context.log.child({ response: job.id });
  await withSyncRequest(context, admitted, run, { signal, log }, async (request) => {
    const { isSoleHolder, leaseExpiresAt } = leaseOfCall(context, request, lease);
    const marked = await context.database.queries
      .update(responseJobs)
      .set({ dispatchedAt: isSoleHolder ? clock.date() : null, leaseExpiresAt })
      .where(isLeased(job))
      .returning({ id: responseJobs.id });
    if (marked.length === 0) throw new TakenOverError();
    progress.isDispatched = true;
    const created_at = Math.floor(job.createdAt.getTime() / 1000);
    const keepRun = (answer: unknown, failure: ApiError | null): void =>
      keepContent(context, ranUnattended(admitted, job.runId, answer, failure));
    const { check = null } = run;
    const stream = job.body.stream
      ? new StreamedRun(await KeptEvents.of(context, job), read, job, check !== null)
      : null;
    try {
      const served = await dispatch(context, {
        request,
        admitted,
        attempts,
        run: (call) => stream?.execute(call, attempts) ?? execute(call),
        told: tracedUnless(check),
      }).catch((error: unknown) => {
        const said = check === null && stream?.begun && { choices: stream.begun.transcript.choices() };
        if (!signal.aborted) keepRun(said || null, asApiError(error));
        if (stream?.begun) progress.cut = usageOfCutStream(context, admitted, stream.begun);
        throw error;
      });
      const usage = usageOfSync(context, admitted, served);
      const figures = figuresOfAnswer(runOf(job, admitted.compiled.model.id), served, attempts.trace);
      const allowed = await check?.result(served.result).catch((error: unknown) => {
        if (error !== check.refusal) throw error;
        progress.cut = usage;
        keepRun(null, asApiError(error));
        throw error;
      });
      const shown = { ...served, ...(allowed && { result: allowed }) };
      const completion = (await answerOf(context, admitted, job.runId, shown, { signal, check }))
        .body as ChatCompletionObject;
      completion.svc_cost = costOf(usage.priced, context.prices.book.currency);
      keepRun(completion, null);
      const told =
        stream?.end(completion) ?? formatWhole(formatResponse(completion, read, false), completion);
      const response = { ...told.record(), created_at };
      await retryUntilSaved({ log, signal }, job.deadlineAt, async () => {
        await stream?.kept.store();
        await settleJob(context, job, response, usage, figures);
      });
    } finally {
      stream?.kept.end();
    }
  });
}

async function putBack(
  { database }: RunsContext,
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
