import type { FastifyReply, FastifyRequest } from "fastify";
import type { MessageCreate } from "#contract/messages.ts";
import { messageRoutes } from "#contract/routes/messages.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { countTokens } from "#gateway/runs/execution/count-tokens.ts";
import { type Places, underNamesOf } from "#gateway/runs/execution/front-errors.ts";
import { runOperation } from "#gateway/runs/execution/run-operation.ts";
import { chatMessages } from "./blocks.ts";
import { messageCall } from "./call.ts";
import { tellMessage } from "./telling.ts";

/** As that of a chat. */
const bodyBytes = 4_000_000;

export function installMessages(app: App, context: Context): void {
  serve(
    app,
    messageRoutes,
    {
      "POST /messages": (request, reply) => createMessage(context, request, reply, request.body),
      "POST /messages/count_tokens": async (request, reply) => {
        reply.header("request-id", request.id);
        return countTokens(context, request, request.body, {
          read: (body) => [chatMessages(body), ...(body.tools ?? [])],
          call: (body) => messageCall({ ...body, max_tokens: 1 }, request.headers),
        });
      },
    },
    { "POST /messages": { bodyLimit: bodyBytes }, "POST /messages/count_tokens": { bodyLimit: bodyBytes } },
  );
}

/** Makes a message by a chat of its model: the checks, limits, budgets, streams and replays are those of a chat. */
async function createMessage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: MessageCreate,
): Promise<FastifyReply> {
  // Where Anthropic's clients look for it.
  reply.header("request-id", request.id);
  return runOperation(context, request, reply, {
    ...messageCall(body, request.headers),
    fingerprint: body,
    front: { begin: tellMessage },
  }).catch((error: unknown) => {
    throw underNamesOf(places, error);
  });
}

/** Where a chat's parameter stands in a message. */
const places: Places = {
  stop: "stop_sequences",
  reasoning_effort: "output_config.effort",
  response_format: "output_config.format",
  user: "metadata.user_id",
};
