import type { Maker } from "#contract/accounts/people.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import { conversationLimits } from "#contract/conversation-constants.ts";
import {
  type Conversation,
  type ConversationContents,
  type ConversationCreate,
  type ConversationQuery,
  type ConversationSummary,
  type ConversationUpdate,
  conversationRoutes,
} from "#contract/conversations.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import { assertMayKeep } from "#gateway/access/accounts/retention.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { findOwn, lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, getTableColumns } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { refuseForeign } from "#gateway/platform/http/validation.ts";
import { findOperation } from "#gateway/runs/operations/admit.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { confirmation, filesIn, withValueAt } from "#gateway/workspace/presets/input.ts";

/** A conversation is only saved text, so its handlers cannot reach providers or the store. */
type ConversationContext = Pick<WorkspaceContext, "database" | "catalog" | "config" | "history">;
type ConversationRow = typeof conversations.$inferSelect;

export function installConversations(app: App, context: WorkspaceContext): void {
  serve(
    app,
    context,
    conversationRoutes,
    {
      "GET /conversations": ({ caller, query }) => listConversations(context, caller.actor, query),
      "POST /conversations": ({ caller, body }) => createConversation(context, caller, body),
      "GET /conversations/{id}": ({ caller, params }) => readConversation(context, caller.actor, params.id),
      "PATCH /conversations/{id}": ({ caller, params, body }) =>
        updateConversation(context, caller, params.id, body),
      "DELETE /conversations/{id}": ({ caller, params }) => deleteConversation(context, caller, params.id),
    },
    {
      "POST /conversations": { preValidation: refuseForeign(["items", "metadata"], notOpenAis) },
    },
  );
}

const notOpenAis =
  "POST /v1/conversations saves a chat for your team: send name, model and contents. OpenAI's conversations do not exist here: " +
  "send POST /v1/responses, and continue a response with previous_response_id.";

/** The account's conversations, newest first. */
export function listConversations(
  context: ConversationContext,
  actor: Actor,
  query: ConversationQuery,
): Promise<List<ConversationSummary>> {
  const { queries } = context.database;
  const { model, search } = query;
  const page = keyset("conversation", conversations.id, query, [
    eq(conversations.accountId, actor.accountId),
    model === undefined ? undefined : eq(conversations.model, model),
    foundBy(search, {
      idColumn: conversations.id,
      among: eq(conversations.accountId, actor.accountId),
      texts: [conversations.name, conversations.model],
    }),
  ]);
  // Contents are long, and lists do not show them.
  const { contents: _contents, ...listed } = getTableColumns(conversations);
  return readPage(queries, page, queries.select(listed).from(conversations).$dynamic(), async (rows) => {
    const [makerOf, missing] = await Promise.all([
      readMakers(queries, [...rows, ...rows.map(changerOf)]),
      missingToRead(context, actor, rows),
    ]);
    return rows.map((row) => conversationSummary(context, row, makerOf, missing(row)));
  });
}

/** A conversation, with its contents where the caller may read them. Throws `conversation_not_found`. */
async function readConversation(
  context: ConversationContext,
  actor: Actor,
  id: string,
): Promise<Conversation> {
  const row = await findConversation(context, context.database.queries, actor.accountId, id);
  return conversationView(context, actor, row);
}

/**
 * Saves a conversation for everybody in the account. Throws as `chatModels`, `storedContents` and
 * `assertMayRead`, `shorter_retention`, and `too_many_conversations`.
 */
async function createConversation(
  context: ConversationContext,
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
  const row = await audited(context, caller, "conversation.created", async (queries) => {
    await assertMayKeep(queries, context.config, accountId, "A saved conversation");
    // An account's conversations are created one at a time, so that their number stays within the limit.
    await lockName(queries, `conversations of ${accountId}`);
    const saved = await queries.$count(conversations, eq(conversations.accountId, accountId));
    if (saved >= conversationLimits.perAccount)
      throw new ApiError(
        "too_many_conversations",
        `An account has at most ${conversationLimits.perAccount.toLocaleString("en")} saved conversations. Delete one first.`,
      );
    const [made] = await queries
      .insert(conversations)
      .values({
        id: newId("conversation"),
        accountId,
        ...madeBy(actor),
        name: create.name.trim(),
        model,
        secondModel,
        contents,
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The conversation was not saved.");
    return {
      target: made.id,
      detail: { name: made.name, model, messages: contents.messages.length },
      result: made,
    };
  });
  return conversationView(context, actor, row);
}

/**
 * Renames a conversation or replaces its contents, if it still has the given version. Throws
 * `conversation_not_found`, `conversation_changed`, and as `chatModels`, `storedContents` and
 * `assertMayRead`.
 */
async function updateConversation(
  context: ConversationContext,
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
  const row = await audited(context, caller, "conversation.updated", async (queries) => {
    const old = await findConversation(context, queries, accountId, id, "update");
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
    return {
      target: id,
      detail: {
        name: changed.name,
        ...(name !== undefined && { before: old.name }),
        ...(stored && { messages: stored.messages.length }),
      },
      result: changed,
    };
  });
  return conversationView(context, actor, row);
}

/** Deletes a conversation; its id is then unknown. Throws `conversation_not_found`. */
async function deleteConversation(
  context: ConversationContext,
  caller: Caller,
  id: string,
): Promise<Deleted> {
  const { accountId } = caller.actor;
  return audited(context, caller, "conversation.deleted", async (queries) => {
    const { name, model } = await findConversation(context, queries, accountId, id, "update");
    await queries.delete(conversations).where(eq(conversations.id, id));
    return { target: id, detail: { name, model }, result: deleted("conversation", id) };
  });
}

type ListedRow = Omit<ConversationRow, "contents">;

const dayMs = 86_400_000;

/** The conversation's last editor, in the form for `readMakers`. */
function changerOf({ changedByKeyId: keyId, changedByUserId: userId }: ListedRow): Made {
  return { keyId, userId };
}

function conversationSummary(
  { history }: ConversationContext,
  row: ListedRow,
  makerOf: (made: Made) => Maker,
  gated: AttestationKind | null,
): ConversationSummary {
  const hasChanger = row.changedByKeyId !== null || row.changedByUserId !== null;
  return {
    id: row.id,
    object: "conversation",
    name: row.name,
    model: row.model,
    second_model: row.secondModel,
    version: row.version,
    made_by: makerOf(row),
    changed_by: hasChanger ? makerOf(changerOf(row)) : null,
    gated,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    kept_until:
      history.days === null ? null : new Date(row.updatedAt.getTime() + history.days * dayMs).toISOString(),
  };
}

/** A conversation with its contents, if this caller may read them. */
async function conversationView(
  context: ConversationContext,
  actor: Actor,
  row: ConversationRow,
): Promise<Conversation> {
  const [makerOf, missing] = await Promise.all([
    readMakers(context.database.queries, [row, changerOf(row)]),
    missingToRead(context, actor, [row]),
  ]);
  const gated = missing(row);
  return {
    ...conversationSummary(context, row, makerOf, gated),
    contents: gated === null ? row.contents : null,
  };
}

type Models = Pick<ConversationRow, "model" | "secondModel">;

const modelsOf = ({ model, secondModel }: Models) => [model, ...(secondModel === null ? [] : [secondModel])];

/** The attestation that this caller lacks to read each of these conversations; null if none is missing. */
async function missingToRead(
  context: ConversationContext,
  actor: Actor,
  rows: readonly Models[],
): Promise<(row: Models) => AttestationKind | null> {
  const clearance = await Clearance.of(context, actor, rows.flatMap(modelsOf));
  return (row) => clearance.missingAmong(modelsOf(row));
}

/** Throws `adult_attestation_required` or `portrait_rights_attestation_required`. */
async function assertMayRead(context: ConversationContext, actor: Actor, row: Models): Promise<void> {
  const kind = (await missingToRead(context, actor, [row]))(row);
  if (kind !== null)
    throw new ApiError(
      `${kind}_attestation_required`,
      `To read or save a conversation with ${modelsOf(row).join(" and ")}, first attest "${kind}" in the console (Attestations). For a service key, the member who is responsible for it has to.`,
    );
}

/** The account's conversation. Throws `conversation_not_found`, also for another account's id. */
function findConversation(
  { history }: ConversationContext,
  queries: Queries,
  accountId: string,
  id: string,
  lock?: "update",
): Promise<ConversationRow> {
  const why = () => forgottenNote(history, "conversation", id) || " It may have been deleted.";
  return findOwn(
    queries,
    conversations,
    { accountId, id, lock },
    () => new ApiError("conversation_not_found", `There is no conversation ${id}.${why()}`),
  );
}

/** Replaces a file that a conversation must not store. */
const removedFile = "upload://removed";

/** The models of a conversation by their ids; each must be able to chat. Throws as `findOperation`. */
function chatModels(context: ConversationContext, accountId: string, names: readonly string[]): string[] {
  return names.map((model) => findOperation(context, "chat-completions", { model }, { accountId }).model.id);
}

/**
 * The stored form of contents. Files in them are not stored: uploads stay references, which become invalid
 * with their uploads; inline files and links to files of this gateway are removed. Throws `invalid_parameter`
 * and `input_too_large`.
 */
function storedContents(
  { config }: ConversationContext,
  contents: ConversationContents,
): ConversationContents {
  const refuse = (name: string, why: string) => invalidParameter(`contents.${name}`, why);
  const { settings, messages } = contents;
  for (const name of ["model", "messages"])
    if (name in settings)
      throw refuse(`settings.${name}`, `${name} has its own field. Leave it out of the settings.`);
  if (confirmation in settings)
    throw refuse(
      `settings.${confirmation}`,
      `${confirmation} must be sent with each request and is never saved.`,
    );
  for (const [at, { parent }] of messages.entries())
    if (parent !== null && parent >= at)
      throw refuse(`messages.${at}.parent`, "parent must be the index of an earlier message in the list.");
  for (const name of ["current", "second_current"] as const)
    if ((contents[name] ?? 0) >= Math.max(1, messages.length))
      throw refuse(name, `${name} must be the index of a message in the list.`);
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

/** Removes conversations that were not changed for as long as history is kept. */
export const conversationHistorySweep: Sweep = {
  kind: "conversation_history",
  async run({ database, history: { days } }) {
    if (days === null) return false;
    const old = `updated_at < now() - interval '${days} days' order by updated_at`;
    return isFullBatch(await database.pool.query(deletion("conversations", old)));
  },
  oldestDue: ({ history: { days } }) =>
    days === null ? null : `select min(updated_at) + interval '${days} days' from conversations`,
};
