import { readActorNow } from "#gateway/access/accounts/actor-now.ts";
import { costOf } from "#gateway/billing/prices/cost-view.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import { responseJobs } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { answerOf } from "#gateway/runs/execution/answers.ts";
import { type ChatCompletionObject, tellWhole } from "#gateway/runs/execution/chat-front.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { Candidates } from "#gateway/runs/operations/candidates.ts";
import { dispatch } from "#gateway/runs/operations/dispatch.ts";
import { leaseOfCall, type Progress, TakenOverError } from "#gateway/runs/operations/leased-run.ts";
import { countFailedStart, figuresOfAnswer } from "#gateway/runs/operations/run-figures.ts";
import { usageOfSync, withSyncRequest } from "#gateway/runs/operations/sync-request.ts";
import { takePlace } from "#gateway/runs/operations/take-room.ts";
import { tracedAnswer } from "#gateway/runs/operations/traced-answer.ts";
import { type AdmittedRun, withBudget } from "#gateway/runs/operations/with-budget.ts";
import { retryUntilSaved } from "#gateway/runs/predictions/retry-until-saved.ts";
import { chatCall, type ResponseRequest } from "../request.ts";
import { tellResponse } from "../telling.ts";
import { isLeased, type Job } from "./job.ts";
import { readBackground } from "./read.ts";
import { runOf, settleJob } from "./settle.ts";

/** Makes a response as if who asked for it asked now: permission, places, gates and budget are checked again. */
export async function runJob(context: Context, job: Job, progress: Progress, lease: Lease): Promise<void> {
  const actor = await readActorNow(context.database, job);
  await assertPermitted(context.database.queries, actor, "operations:run");
  const leave = await takePlace(context, actor);
  try {
    const read = await readBackground(context, actor, job.body);
    const candidates = await Candidates.of(context, actor, chatCall(read));
    await candidates.run(await candidates.admit(), (admitted) =>
      withBudget(context, admitted, (run) => runOn(context, { job, read, admitted, run }, progress, lease)),
    );
  } finally {
    leave();
  }
}

interface Run {
  job: Job;
  read: ResponseRequest;
  admitted: Admitted;
  run: AdmittedRun;
}

async function runOn(
  context: Context,
  { job, read, admitted, run }: Run,
  progress: Progress,
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
    const trace = new RunTrace();
    const served = await dispatch(context, {
      request,
      trace,
      otherRegions: admitted.otherRegions,
      routes: admitted.routes,
      run: (provider, there) => provider.execute(there),
      told: tracedAnswer,
    }).catch(async (error: unknown) => {
      await countFailedStart(context, job.accountId, trace).catch((err: unknown) =>
        log.warn({ err }, "failed tries of a response could not be counted"),
      );
      throw error;
    });
    const usage = usageOfSync(context, admitted, served);
    const figures = figuresOfAnswer(runOf(job, admitted.compiled.model.id), served, trace);
    const completion = (await answerOf(context, admitted, job.runId, served, signal))
      .body as ChatCompletionObject;
    completion.svc_cost = costOf(usage.priced, context.prices.book.currency);
    const response = {
      ...tellWhole(tellResponse(completion, read, false), completion).record(),
      created_at: Math.floor(job.createdAt.getTime() / 1000),
    };
    await retryUntilSaved({ log, signal }, job.deadlineAt, () =>
      settleJob(context, job, response, usage, figures),
    );
  });
}
