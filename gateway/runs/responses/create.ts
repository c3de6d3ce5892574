import type { FastifyReply, FastifyRequest } from "fastify";
import type { Response, ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import type { ChatFront } from "#gateway/runs/execution/chat-front.ts";
import { underNamesOf } from "#gateway/runs/execution/front-errors.ts";
import { type OperationCall, runOperation } from "#gateway/runs/execution/run-operation.ts";
import { metadataHeader, metadataOf } from "#gateway/runs/operations/metadata.ts";
import { acceptResponse, type BackgroundRequest } from "./background/accept.ts";
import { readBackground } from "./background/read.ts";
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
  const metadata = metadataOf(body.metadata, request.headers[metadataHeader]);
  const asked = metadata ? { ...body, metadata } : body;
  const turn = turnOf(request);
  const othersRun = yieldToEventLoop();
  const read = body.background
    ? await readBackground(context, actor, asked)
    : await readResponse(context, actor, asked, turn?.conversations);
  await othersRun();
  if (read.settings.store) await context.storageLimit.assertRoom(actor.accountId);
  return runOperation(context, request, reply, {
    ...chatCall(read),
    fingerprint: body,
    ...(body.background
      ? inBackground(context, request, reply, { body: asked, read })
      : { front: responseFront(context, actor, read, turn) }),
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, error);
  });
}

/** Answers the response as a job, or its events as they come. */
function inBackground(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: BackgroundRequest,
): Pick<OperationCall, "accept" | "send"> {
  const shows = asked.body.include?.includes(thoughtsIncluded);
  return {
    accept: (admitted, run, kept) => acceptResponse(context, admitted, run, { ...asked, ...kept }),
    ...(asked.body.stream && {
      send: ({ headers, body }) =>
        followResponse(context, request, reply.headers(headers), {
          id: (body as Response).id,
          startingAfter: -1,
          permission: "operations:run",
          shown: shows ? (item) => item : withoutSealed,
        }),
    }),
  };
}

function responseFront(
  context: Context,
  actor: Actor,
  read: ResponseRequest,
  turn: Turn | undefined,
): ChatFront<FormattedResponse> {
  return {
    begin: (stamp, streams) => formatResponse(stamp, read, streams),
    async keep(answer, provider) {
      const response = answer.record();
      const { before, input } = read;
      if (response.store)
        await saveResponse(context, actor, { response, input: namedItems(input, response.id) }, provider);
      else turn?.conversations.keep(response.id, [...before, ...input, ...response.output]);
      if (turn) turn.isAnswered = true;
    },
  };
}
