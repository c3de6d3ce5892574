import type { AccountDeletionPreview } from "#contract/accounts/account-deletion.ts";
import { deletionRoutes } from "#contract/routes/account.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { contentsOf, previewCountsTo } from "./contents.ts";
import { readDeletion } from "./read.ts";
import { cancelDeletion, scheduleDeletion } from "./schedule.ts";

export function installDeletion(app: App, context: Context): void {
  const { database } = context;

  const preview = async ({ accountId }: Actor): Promise<AccountDeletionPreview> => ({
    object: "account_deletion",
    deletion: await readDeletion(database.queries, accountId),
    contents: await contentsOf(database.queries, accountId, previewCountsTo),
    counted_to: previewCountsTo,
  });
  serve(app, deletionRoutes, {
    "GET /account/deletion": (request) => preview(actorOf(request)),
    "POST /account/deletion": async (request, reply) => {
      const actor = actorOf(request);
      await scheduleDeletion(context, callerOf(request, actor), request.body.name);
      return reply.code(201).send(await preview(actor));
    },
    "DELETE /account/deletion": async (request) => {
      const { actor, ip, requestId } = callerOf(request, actorOf(request));
      const { accountId } = actor;
      await database.transaction((queries) => cancelDeletion(queries, accountId, { actor, ip, requestId }));
      return { id: accountId, object: "account_deletion", deleted: true as const };
    },
  });
}
