import { AccountDeletionCreate, AccountDeletionPreview } from "#contract/account-deletion.ts";
import { Deleted, NoQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { contentsOf, previewCountsTo } from "./contents.ts";
import { readDeletion } from "./read.ts";
import { cancelDeletion, scheduleDeletion } from "./schedule.ts";

export function deletionRoutes(app: App, context: Context): void {
  const { database } = context;
  const config = { permission: "account:manage", extension: true } as const;
  const path = "/account/deletion";

  const preview = async ({ accountId }: Actor): Promise<AccountDeletionPreview> => ({
    object: "account_deletion",
    deletion: await readDeletion(database.queries, accountId),
    contents: await contentsOf(database.queries, accountId, previewCountsTo),
    counted_to: previewCountsTo,
  });

  app.get(
    path,
    { config, schema: { querystring: NoQuery, response: { 200: AccountDeletionPreview } } },
    (request) => preview(actorOf(request)),
  );
  app.post(
    path,
    { config, schema: { body: AccountDeletionCreate, response: { 201: AccountDeletionPreview } } },
    async (request, reply) => {
      const actor = actorOf(request);
      await scheduleDeletion(context, callerOf(request, actor), request.body.name);
      return reply.code(201).send(await preview(actor));
    },
  );
  app.delete(path, { config, schema: { response: { 200: Deleted } } }, async (request) => {
    const { actor, ip, requestId } = callerOf(request, actorOf(request));
    const { accountId } = actor;
    await database.transaction((queries) => cancelDeletion(queries, accountId, { actor, ip, requestId }));
    return { id: accountId, object: "account_deletion", deleted: true as const };
  });
}
