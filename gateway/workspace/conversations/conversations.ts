import { conversationLimits } from "#contract/conversation-constants.ts";
import type {
  Conversation,
  ConversationContents,
  ConversationCreate,
  ConversationUpdate,
} from "#contract/conversations.ts";
import { newId } from "#contract/ids.ts";
import type { Deleted } from "#contract/list.ts";
import { conversationRoutes } from "#contract/routes/conversations.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { count, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";

import { serve } from "#gateway/platform/http/serve.ts";
import { refuseForeign } from "#gateway/platform/http/validation.ts";
import { findOperation } from "#gateway/runs/operations/find-operation.ts";
import { confirmation } from "#gateway/workspace/presets/check.ts";
import { filesIn, withValueAt } from "#gateway/workspace/presets/input.ts";
import { assertMayRead, conversationView, findConversation, listConversations } from "./list.ts";

export function installConversations(app: App, context: Context): void {
  serve(
    app,
    context,
    conversationRoutes,
    {
      "GET /conversations": (request) => listConversations(context, actorOf(request), request.query),
      "POST /conversations": ({ caller, body }) => createConversation(context, caller, body),
      "GET /conversations/{id}": async (request) => {
        const actor = actorOf(request);
        const { queries } = context.database;
        const row = await findConversation(context, queries, actor.accountId, request.params.id);
        return conversationView(context, actor, row);
      },
      "PATCH /conversations/{id}": (request) =>
        updateConversation(context, request.caller, request.params.id, request.body),
      "DELETE /conversations/{id}": (request) =>
        deleteConversation(context, request.caller, request.params.id),
    },
    {
      "POST /conversations": { preValidation: refuseForeign(["items", "metadata"], notOpenAis) },
    },
  );
}

const notOpenAis =
  "POST /v1/conversations saves a chat for your team: send name, model and contents. OpenAI's conversations do not exist here: " +
  "send POST /v1/responses, and continue a response with previous_response_id.";

/**
 * Saves a conversation for everybody of the account. Throws as `chatModels`, `storedContents` and `assertMayRead`, and
 * `too_many_conversations`.
 */
async function createConversation(
  context: Context,
  caller: Caller,
  create: ConversationCreate,
): Promise<Conversation> {
  const { actor } = caller;
  const { accountId } = actor;
  const { second_model: second = null } = create;
  const [model = create.model, secondModel = null] = chatModels(context, accountId, [
    create.model,
    ...(second === null ? [] : [second]),
  ]);
  const contents = storedContents(context, create.contents);
  await assertMayRead(context, actor, { model, secondModel });
  const row = await context.database.transaction(async (queries) => {
    await lockConversations(queries, accountId);
    const [saved] = await queries
      .select({ count: count() })
      .from(conversations)
      .where(eq(conversations.accountId, accountId));
    if ((saved?.count ?? 0) >= conversationLimits.perAccount)
      throw new ApiError(
        "too_many_conversations",
        `An account has at most ${conversationLimits.perAccount.toLocaleString("en")} saved conversations. Delete one first.`,
      );
    const [made] = await queries
      .insert(conversations)
      .values({
        id: newId("conversation"),
        accountId,
        keyId: actor.kind === "key" ? actor.id : null,
        userId: actor.userId,
        name: create.name.trim(),
        model,
        secondModel,
        contents,
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The conversation was not saved.");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "conversation.created",
      targetId: made.id,
      detail: { name: made.name, model, messages: contents.messages.length },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return made;
  });
  return conversationView(context, actor, row);
}

/**
 * Renames a conversation, or replaces its contents, as it was in this version. Throws `conversation_not_found`,
 * `conversation_changed`, and as `chatModels`, `storedContents` and `assertMayRead`.
 */
async function updateConversation(
  context: Context,
  caller: Caller,
  id: string,
  { version, name, second_model: second, contents }: ConversationUpdate,
): Promise<Conversation> {
  const { actor } = caller;
  const { accountId } = actor;
  const stored = contents && storedContents(context, contents);
  const secondModel = second ? chatModels(context, accountId, [second])[0] : second;
  const before = await findConversation(context, context.database.queries, accountId, id);
  await assertMayRead(context, actor, { ...before, ...(secondModel && { secondModel }) });
  const row = await context.database.transaction(async (queries) => {
    const old = await findConversation(context, queries, accountId, id, { forUpdate: true });
    if (version !== old.version)
      throw new ApiError(
        "conversation_changed",
        `Somebody has changed the conversation since you read version ${version}: it has version ${old.version} now. Open it again, or save yours under another name.`,
        { param: "version" },
      );
    const [changed = old] = await queries
      .update(conversations)
      .set({
        ...(name !== undefined && { name: name.trim() }),
        ...(secondModel !== undefined && { secondModel }),
        ...(stored && { contents: stored }),
        version: old.version + 1,
        changedByKeyId: actor.kind === "key" ? actor.id : null,
        changedByUserId: actor.userId,
        updatedAt: clock.date(),
      })
      .where(eq(conversations.id, id))
      .returning();
    await recordAudit(queries, {
      accountId,
      actor,
      action: "conversation.updated",
      targetId: id,
      detail: {
        name: changed.name,
        ...(name !== undefined && { before: old.name }),
        ...(stored && { messages: stored.messages.length }),
      },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return changed;
  });
  return conversationView(context, actor, row);
}

/** Deletes a conversation; afterwards its id is unknown. Throws `conversation_not_found`. */
async function deleteConversation(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const { name, model } = await findConversation(context, queries, accountId, id, { forUpdate: true });
    await queries.delete(conversations).where(eq(conversations.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "conversation.deleted",
      targetId: id,
      detail: { name, model },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  return { id, object: "conversation", deleted: true };
}

/** Stands where a file was that a conversation must not keep. */
const removedFile = "upload://removed";

/** The models of a conversation by their ids, each of which must chat. Throws as `findOperation`. */
function chatModels(context: Context, accountId: string, names: readonly string[]): string[] {
  return names.map((model) => findOperation(context, "chat-completions", { model }, accountId).model.id);
}

/**
 * What is stored of the contents that somebody sent. Files in them are not kept: uploads stay references, which end with their
 * uploads; inline files and links to files of this gateway are taken out. Throws `invalid_parameter` and `input_too_large`.
 */
function storedContents({ config }: Context, contents: ConversationContents): ConversationContents {
  const refuse = (name: string, why: string) =>
    new ApiError("invalid_parameter", why, { param: `contents.${name}` });
  const { settings, messages } = contents;
  for (const name of ["model", "messages"])
    if (name in settings) throw refuse(`settings.${name}`, `${name} has a place of its own. Leave it out.`);
  if (confirmation in settings)
    throw refuse(`settings.${confirmation}`, `${confirmation} is given for each request and never saved.`);
  for (const [at, { parent }] of messages.entries())
    if (parent !== null && parent >= at)
      throw refuse(`messages.${at}.parent`, "parent must be the place of an earlier message of the list.");
  for (const name of ["current", "second_current"] as const)
    if ((contents[name] ?? 0) >= Math.max(1, messages.length))
      throw refuse(name, `${name} must be the place of a message of the list.`);
  refuseUnstorable(contents);
  const kept = withoutFiles(contents, config.publicUrl);
  if (Buffer.byteLength(JSON.stringify(kept)) > conversationLimits.contentBytes)
    throw new ApiError(
      "input_too_large",
      `A saved conversation has at most ${conversationLimits.contentBytes.toLocaleString("en")} bytes. Save a shorter one.`,
      { param: "contents" },
    );
  return kept;
}

function withoutFiles(contents: ConversationContents, publicUrl: string): ConversationContents {
  const gone = filesIn({ ...contents }, publicUrl)
    .filter(({ upload }) => upload === null)
    .map(({ path }) => path);
  return gone.length === 0
    ? contents
    : (withValueAt({ ...contents }, gone, removedFile) as ConversationContents);
}

/** Conversations of an account are made one after the other, so that their number stays within the limit. */
async function lockConversations(queries: Queries, accountId: string): Promise<void> {
  await queries.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`conversations of ${accountId}`}, 0))`,
  );
}
