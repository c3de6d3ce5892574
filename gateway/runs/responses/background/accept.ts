import type { FastifyRequest } from "fastify";
import { newId } from "#contract/ids.ts";
import type { Response, ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { responseJobs, responses } from "#gateway/platform/database/schema.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { Candidates } from "#gateway/runs/operations/candidates.ts";
import { responseIdOf } from "../format-response.ts";
import { chatCall, namedItems } from "../request.ts";
import { responseRow } from "../stored.ts";
import { readBackground } from "./read.ts";

export const responseJobChannel = "response_jobs";

/**
 * Accepts a background response: checked as if it ran now, then saved as a job. Throws as `readResponse` and
 * `admit`, and `storage_limit_exceeded`.
 */
export async function acceptResponse(
  context: Context,
  request: FastifyRequest,
  body: ResponseCreate,
  assertHeld: () => Promise<void>,
): Promise<Response> {
  const actor = actorOf(request);
  if (body.store === false)
    throw refusal(
      "store",
      "A response in the background is kept until it is read: leave out store, or set it to true.",
    );
  const read = await readBackground(context, actor, body);
  await context.storageLimit.assertRoom(actor.accountId);
  const candidates = await Candidates.of(
    context,
    actor,
    chatCall(read),
    new Attempts(context, new RunTrace()),
  );
  const admitted = await candidates.admit();
  request.operationModel = admitted.compiled.model.id;
  request.operationAlias = admitted.alias ?? null;
  request.operationMetadata = admitted.metadata;
  const runId = newId("generation");
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
  const row = responseRow(context, actor, { response, input: namedItems(read.input, id) });
  const { accountId, keyId = null, userId = null } = row;
  const deadlineAt = new Date(now + context.config.predictionDeadlineMs);
  await context.database.transaction(async (queries) => {
    await queries.insert(responses).values(row);
    const traceParent = context.telemetry?.position() ?? null;
    await queries
      .insert(responseJobs)
      .values({ id, accountId, keyId, userId, body, runId, deadlineAt, traceParent });
  });
  context.database.notify(responseJobChannel);
  return response;
}

function refusal(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param });
}
