import type { Response, ResponseCreate } from "#contract/responses.ts";
import { keepCallback } from "#gateway/events/webhooks/callbacks.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { responseJobs, responses } from "#gateway/platform/database/schema.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { aliasHeader, ignoredHeader } from "#gateway/runs/execution/answers.ts";
import type { KeptJob } from "#gateway/runs/execution/run-operation.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import type { AdmittedRun } from "#gateway/runs/operations/with-budget.ts";
import { responseIdOf } from "../format-response.ts";
import { namedItems, type ResponseRequest, readResponse } from "../request.ts";
import { responseRow } from "../stored.ts";

export const responseJobChannel = "response_jobs";

/** A background request for a response: the stored body, and the parsed request. */
export interface BackgroundRequest {
  body: ResponseCreate;
  read: ResponseRequest;
  /** Whether the caller said that nothing of the contents may be kept, whatever the account keeps later. */
  declinesContents: boolean;
}

/** Stores an admitted response as a job; all checks run again when a worker runs the job. */
export async function acceptResponse(
  context: RunsContext,
  admitted: Admitted,
  { id: runId }: AdmittedRun,
  { body, read, declinesContents, assertHeld, callback }: BackgroundRequest & KeptJob,
): Promise<Answer> {
  const id = responseIdOf(runId);
  const now = clock.now();
  const response: Response = {
    ...read.settings,
    id,
    object: "response",
    created_at: Math.floor(now / 1000),
    completed_at: null,
    status: "queued",
    incomplete_details: null,
    error: null,
    model: admitted.compiled.model.id,
    output: [],
    usage: null,
    svc_region: admitted.region,
  };
  await assertHeld();
  const deadlineAt = new Date(now + context.config.predictionDeadlineMs);
  const kept = { response, input: namedItems(read.input, id) };
  const row = responseRow(context, admitted.actor, kept, deadlineAt);
  const { accountId, keyId = null, userId = null } = row;
  await context.database.transaction(async (queries) => {
    await queries.insert(responses).values(row);
    const traceParent = context.telemetry?.position() ?? null;
    await queries.insert(responseJobs).values({
      id,
      accountId,
      keyId,
      userId,
      body,
      declinesContents,
      runId,
      deadlineAt,
      traceParent,
      createdAt: new Date(now),
    });
    if (callback) await keepCallback(context, queries, accountId, id, callback);
  });
  context.database.notify(responseJobChannel);
  return {
    status: 200,
    headers: {
      "x-svc-region": admitted.region,
      ...aliasHeader(admitted),
      ...ignoredHeader(admitted.ignored),
    },
    body: response,
  };
}

/**
 * Formats a finished background response like one that was streamed directly; its events are rebuilt from the
 * stored ones.
 */
export async function readBackground(
  context: RunsContext,
  actor: Actor,
  body: ResponseCreate,
): Promise<ResponseRequest> {
  if (body.store === false)
    throw invalidParameter(
      "store",
      "A response in the background must be stored: leave store out, or set it to true.",
    );
  const read = await readResponse(context, actor, { ...body, background: false, stream: null });
  return { ...read, settings: { ...read.settings, background: true } };
}
