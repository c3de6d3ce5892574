import type { FastifyReply, FastifyRequest } from "fastify";
import type { MessageCreate } from "#contract/messages.ts";
import { messageRoutes } from "#contract/routes/messages.ts";
import type { Context } from "#gateway/context.ts";
import { type Places, underNamesOf } from "#gateway/execution/front-errors.ts";
import { runOperation } from "#gateway/execution/run-operation.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { serve } from "#gateway/http/serve.ts";
import { operationFor } from "#gateway/operations/admit.ts";
import { withModel } from "#gateway/operations/candidates.ts";
import { tokensIn } from "#gateway/providers/estimated-usage.ts";
import { recordOf } from "#gateway/providers/http/read-body.ts";
import { chatMessages } from "./blocks.ts";
import { readMessage } from "./request.ts";
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
        const { body } = request;
        const actor = actorOf(request);
        operationFor(context, actor, "chat-completions", await withModel(context, actor, body));
        const { tools } = body;
        return { input_tokens: tokensIn([chatMessages(body), ...(tools ?? [])]), svc_estimated: true };
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
  const { chat, ignored } = readMessage(body);
  const betas = request.headers["anthropic-beta"];
  return runOperation(context, request, reply, {
    apiType: "chat-completions",
    body: chat,
    fingerprint: body,
    front: { begin: tellMessage },
    native: {
      protocol: "anthropic",
      body: namesFiles(body) ? null : body,
      betas: typeof betas === "string" ? betas.slice(0, longestBetas) : null,
      ignored,
    },
  }).catch((error: unknown) => {
    throw underNamesOf(places, error);
  });
}

const longestBetas = 1_000;

/** Whether it shows files of the gateway, which no upstream knows. */
function namesFiles({ messages }: MessageCreate): boolean {
  return messages.some(
    ({ content }) =>
      typeof content !== "string" && content.some(({ source }) => recordOf(source).type === "file"),
  );
}

/** Where a chat's parameter stands in a message. */
const places: Places = {
  stop: "stop_sequences",
  reasoning_effort: "output_config.effort",
  response_format: "output_config.format",
  user: "metadata.user_id",
};
