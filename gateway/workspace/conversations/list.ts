import type { Maker } from "#contract/accounts/people.ts";
import type { AttestationKind } from "#contract/attestations.ts";
import type { Conversation, ConversationQuery, ConversationSummary } from "#contract/conversations.ts";
import type { List } from "#contract/list.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, getTableColumns } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";

/** Contents are long, and a list shows none. */
const { contents: _contents, ...listed } = getTableColumns(conversations);

/** The account's conversations, newest first. */
export async function listConversations(
  context: Context,
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
  const rows = await queries
    .select(listed)
    .from(conversations)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const [makerOf, missing] = await Promise.all([
    readMakers(queries, [...rows, ...rows.map(changerOf)]),
    missingToRead(context, actor, rows),
  ]);
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => conversationSummary(context, row, makerOf, missing(row))),
  );
}

type ListedRow = Omit<ConversationRow, "contents">;

const dayMs = 86_400_000;

/** Who changed the conversation last, as `readMakers` takes them. */
function changerOf({ changedByKeyId: keyId, changedByUserId: userId }: ListedRow): Made {
  return { keyId, userId };
}

function conversationSummary(
  { history }: Context,
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

/** A conversation with its contents, where this caller may read them. */
export async function conversationView(
  context: Context,
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

/** The attestation that this caller lacks to read each of these conversations; null: they may. */
async function missingToRead(
  context: Context,
  actor: Actor,
  rows: readonly Models[],
): Promise<(row: Models) => AttestationKind | null> {
  const clearance = await Clearance.of(context, actor, rows.flatMap(modelsOf));
  return (row) => clearance.missingAmong(modelsOf(row));
}

/** Throws `adult_attestation_required` or `portrait_rights_attestation_required`. */
export async function assertMayRead(context: Context, actor: Actor, row: Models): Promise<void> {
  const kind = (await missingToRead(context, actor, [row]))(row);
  if (kind !== null)
    throw new ApiError(
      `${kind}_attestation_required`,
      `To read or save a conversation with ${modelsOf(row).join(" and ")}, first attest "${kind}" in the console (Attestations). For a service key, the member who is responsible for it has to.`,
    );
}

type ConversationRow = typeof conversations.$inferSelect;

/** The account's conversation. Throws `conversation_not_found`, for another account's id too. */
export async function findConversation(
  { history }: Context,
  queries: Queries,
  accountId: string,
  id: string,
  options: { forUpdate?: boolean } = {},
): Promise<ConversationRow> {
  const query = queries
    .select()
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.accountId, accountId)));
  const [row] = await (options.forUpdate ? query.for("update") : query);
  if (!row)
    throw new ApiError(
      "conversation_not_found",
      `There is no conversation ${id}.${forgottenNote(history, "conversation", id) || " It may have been deleted."}`,
    );
  return row;
}
