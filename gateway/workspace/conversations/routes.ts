import { conversationRoutes } from "#contract/routes/conversations.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { refuseForeign } from "#gateway/platform/http/validation.ts";
import { createConversation } from "./create.ts";
import { deleteConversation } from "./delete.ts";
import { findConversation } from "./find.ts";
import { listConversations } from "./list.ts";
import { updateConversation } from "./update.ts";
import { conversationView } from "./view.ts";

export function installConversations(app: App, context: Context): void {
  serve(
    app,
    conversationRoutes,
    {
      "GET /conversations": (request) => listConversations(context, actorOf(request), request.query),
      "POST /conversations": async (request, reply) => {
        const caller = callerOf(request, actorOf(request));
        return sendOnce(context, request, reply, caller.actor, async () => {
          const conversation = await createConversation(context, caller, request.body);
          const location = `${context.config.publicUrl}/v1/conversations/${conversation.id}`;
          return { status: 201, headers: { location }, body: conversation };
        });
      },
      "GET /conversations/{id}": async (request) => {
        const actor = actorOf(request);
        const { queries } = context.database;
        const row = await findConversation(context, queries, actor.accountId, request.params.id);
        return conversationView(context, actor, row);
      },
      "PATCH /conversations/{id}": (request) =>
        updateConversation(context, callerOf(request, actorOf(request)), request.params.id, request.body),
      "DELETE /conversations/{id}": (request) =>
        deleteConversation(context, callerOf(request, actorOf(request)), request.params.id),
    },
    {
      "POST /conversations": { preValidation: refuseForeign(["items", "metadata"], notOpenAis) },
    },
  );
}

const notOpenAis =
  "POST /v1/conversations saves a chat for your team: send name, model and contents. OpenAI's conversations do not exist here: " +
  "send POST /v1/responses, and continue a response with previous_response_id.";
