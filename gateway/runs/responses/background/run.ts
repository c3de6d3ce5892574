import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import { costOf } from "#gateway/billing/prices/price-lines.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import type { Provider, ProviderRequest, SyncResult } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import { responseJobs } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { answerOf } from "#gateway/runs/execution/answers.ts";
import { type ChatCompletionObject, formatWhole } from "#gateway/runs/execution/chat-front.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { Candidates } from "#gateway/runs/operations/candidates.ts";
import { createTranscript } from "#gateway/runs/operations/chat-transcript.ts";
import { dispatch } from "#gateway/runs/operations/dispatch.ts";
import { chunksOf, execute, openChat, type SilenceLimit } from "#gateway/runs/operations/first-content.ts";
import {
  type StreamedChat,
  tracedAnswer,
  usageOfCutStream,
  usageOfSync,
  withSyncRequest,
} from "#gateway/runs/operations/sync-request.ts";
import {
  countFailedStart,
  figuresOfAnswer,
  leaseOfCall,
  type Progress,
  retryUntilSaved,
  TakenOverError,
  takePlace,
} from "#gateway/runs/operations/unattended-run.ts";

import { type AdmittedRun, withBudget } from "#gateway/runs/operations/with-budget.ts";

import { type FormattedResponse, formatResponse } from "../format-response.ts";
import { chatCall, type ResponseRequest } from "../request.ts";
import { readBackground } from "./accept.ts";
import { KeptEvents } from "./kept-events.ts";
import { isLeased, type Job, runOf, settleJob } from "./settle.ts";

export interface ResponseProgress extends Progress {
  /** The usage of a stream that broke after its events could be read; null if the account pays nothing. */
  cut: RunUsage | null;
}

/**
 * Runs a background response as if its caller sent it now: permission, limits, gates and budget are checked
 * again.
 */
export async function runJob(
  context: Context,
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
    const candidates = await Candidates.of(context, actor, chatCall(read), attempts);
    const runOnNext = (admitted: Admitted) =>
      withBudget(context, admitted, (run) =>
        runOn(context, { job, read, admitted, run, attempts }, progress, lease),
      );
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

interface Run {
  job: Job;
  read: ResponseRequest;
  admitted: Admitted;
  run: AdmittedRun;
  attempts: Attempts;
}

async function runOn(
  context: Context,
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
    const stream = job.body.stream ? new StreamedRun(await KeptEvents.of(context, job), read, job) : null;
    try {
      const served = await dispatch(context, {
        request,
        attempts,
        payer: admitted,
        otherRegions: admitted.otherRegions,
        routes: admitted.routes,
        run: (provider, there, limit) =>
          stream?.execute(provider, there, limit, attempts) ?? execute(provider, there, limit),
        told: tracedAnswer,
      }).catch((error: unknown) => {
        if (stream?.begun) progress.cut = usageOfCutStream(context, admitted, stream.begun);
        throw error;
      });
      const usage = usageOfSync(context, admitted, served);
      const figures = figuresOfAnswer(runOf(job, admitted.compiled.model.id), served, attempts.trace);
      const completion = (await answerOf(context, admitted, job.runId, served, signal))
        .body as ChatCompletionObject;
      completion.svc_cost = costOf(usage.priced, context.prices.book.currency);
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

/** A run that stores its events while the upstream writes them. */
class StreamedRun {
  readonly kept: KeptEvents;
  readonly #read: ResponseRequest;
  readonly #job: Job;
  #formatter: FormattedResponse | null = null;
  /** The provider that answers, and its text so far. */
  begun: StreamedChat | null = null;

  constructor(kept: KeptEvents, read: ResponseRequest, job: Job) {
    this.kept = kept;
    this.#read = read;
    this.#job = job;
  }

  /** Once it has begun, readers can see its events, so no other upstream may answer. */
  async execute(
    provider: Provider,
    request: ProviderRequest,
    limit: SilenceLimit | null,
    attempts: Attempts,
  ): Promise<SyncResult> {
    const transcript = createTranscript(request);
    const opened = await openChat(provider, request, limit);
    const formatter = this.#begin(request, attempts);
    this.#formatter = formatter;
    this.begun = { provider, request, transcript };
    for await (const chunk of chunksOf(opened)) {
      transcript.add(chunk);
      formatter.chunk(chunk);
    }
    const usage = transcript.usage();
    const tier = transcript.serviceTier();
    return {
      kind: "chat",
      completion: { choices: transcript.choices(), usage, ...(tier !== undefined && { service_tier: tier }) },
      usage: { unit: "token", quantity: usage.total_tokens },
    };
  }

  end(completion: ChatCompletionObject): FormattedResponse | null {
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
