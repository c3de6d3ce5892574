import type { ConversationQuery, ConversationSummary } from "#contract/conversations.ts";
import type { List } from "#contract/list.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { eq, getTableColumns } from "#gateway/platform/database/drizzle.ts";
import { foundBy } from "#gateway/platform/database/found-by.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { missingToRead } from "./gates.ts";
import { changerOf, conversationSummary } from "./view.ts";

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
