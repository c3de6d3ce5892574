import type { FastifyReply, FastifyRequest } from "fastify";
import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { ChatFront } from "#gateway/execution/chat-front.ts";
import { underNamesOf } from "#gateway/execution/front-errors.ts";
import { runOperation } from "#gateway/execution/run-operation.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce } from "#gateway/http/idempotency.ts";
import { acceptResponse } from "./background/accept.ts";
import { chatCall, namedItems, type ResponseRequest, readResponse, responsePlaces } from "./request.ts";
import { saveResponse } from "./stored.ts";
import { type ResponseTelling, tellResponse } from "./telling.ts";

/** Makes a response by a chat of its model: the checks, limits, budgets, streams and replays are those of a chat. */
export async function createResponse(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCreate,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  if (body.background)
    return sendOnce(context, request, reply, actor, async (assertHeld) => ({
      status: 200,
      headers: {},
      body: await acceptResponse(context, request, body, assertHeld),
    })).catch((error: unknown) => {
      throw underNamesOf(responsePlaces, error);
    });
  const read = await readResponse(context, actor, body);
  if (read.settings.store) await context.storageLimit.assertRoom(actor.accountId);
  return runOperation(context, request, reply, {
    ...chatCall(read),
    fingerprint: body,
    front: responseFront(context, actor, read),
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, error);
  });
}

function responseFront(context: Context, actor: Actor, read: ResponseRequest): ChatFront<ResponseTelling> {
  return {
    begin: (stamp, streams) => tellResponse(stamp, read, streams),
    async keep(answer) {
      const response = answer.record();
      if (!response.store) return;
      await saveResponse(context, actor, { response, input: namedItems(read.input, response.id) });
    },
  };
}
