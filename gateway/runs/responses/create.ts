import type { FastifyReply, FastifyRequest } from "fastify";
import type { Response, ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { answerOnce } from "#gateway/platform/http/idempotency.ts";
import type { ChatFront } from "#gateway/runs/execution/chat-front.ts";
import { underNamesOf } from "#gateway/runs/execution/front-errors.ts";
import { runOperation } from "#gateway/runs/execution/run-operation.ts";
import { assertMayHave } from "#gateway/runs/operations/admit.ts";
import { acceptResponse } from "./background/accept.ts";
import { followResponse } from "./follow.ts";
import { type FormattedResponse, formatResponse, withoutSealed } from "./format-response.ts";
import {
  chatCall,
  namedItems,
  type ResponseRequest,
  readResponse,
  responsePlaces,
  thoughtsIncluded,
} from "./request.ts";
import { saveResponse } from "./stored.ts";
import { type Turn, turnOf } from "./unstored.ts";

/**
 * Answers with a chat of the response's model: checks, limits, budgets, streams and replays are those of a
 * chat.
 */
export async function createResponse(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCreate,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  if (body.background)
    return createInBackground(context, request, reply, body).catch((error: unknown) => {
      throw underNamesOf(responsePlaces, error);
    });
  const turn = turnOf(request);
  const othersRun = yieldToEventLoop();
  const read = await readResponse(context, actor, body, turn?.conversations);
  await othersRun();
  if (read.settings.store) await context.storageLimit.assertRoom(actor.accountId);
  return runOperation(context, request, reply, {
    ...chatCall(read),
    fingerprint: body,
    front: responseFront(context, actor, read, turn),
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, error);
  });
}

async function createInBackground(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCreate,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  const answer = await answerOnce(context, request, actor, body, async (assertHeld) => ({
    status: 200,
    headers: {},
    body: await acceptResponse(context, request, body, assertHeld),
  }));
  if (!body.stream) return reply.code(answer.status).headers(answer.headers).send(answer.body);
  const { id, model } = answer.body as Response;
  await assertMayHave(context, actor, model);
  const shows = body.include?.includes(thoughtsIncluded);
  return followResponse(context, request, reply.headers(answer.headers), {
    id,
    startingAfter: -1,
    permission: "operations:run",
    shown: shows ? (item) => item : withoutSealed,
  });
}

function responseFront(
  context: Context,
  actor: Actor,
  read: ResponseRequest,
  turn: Turn | undefined,
): ChatFront<FormattedResponse> {
  return {
    begin: (stamp, streams) => formatResponse(stamp, read, streams),
    async keep(answer) {
      const response = answer.record();
      const { before, input } = read;
      if (response.store)
        await saveResponse(context, actor, { response, input: namedItems(input, response.id) });
      else turn?.conversations.keep(response.id, [...before, ...input, ...response.output]);
      if (turn) turn.isAnswered = true;
    },
  };
}
