import type {
  CompletionMessages,
  CompletionQuery,
  StoredCompletion,
  StoredCompletions,
} from "#contract/contents.ts";
import { storedCompletionRoutes } from "#contract/contents.ts";
import type { Metadata } from "#contract/metadata.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { assertMayLook, searchableBy } from "#gateway/models/catalog/clearance.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, asc, desc, eq, gt, lt, sql } from "#gateway/platform/database/drizzle.ts";
import { contents } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { metadataOf } from "#gateway/runs/operations/metadata.ts";
import { deleteContent } from "./contents.ts";
import { type ContentRow, findContent, openContent, readable, recordOpenings } from "./read.ts";
import type { ContentText } from "./text.ts";

const isStored = eq(contents.isStored, true);
const usualLimit = 20;

/** OpenAI's API for stored chat completions: contents of chats that were sent with `store: true`. */
export function installStoredCompletions(app: App, context: RunsContext): void {
  serve(app, context, storedCompletionRoutes, {
    "GET /chat/completions": ({ caller, query }) => listCompletions(context, caller, query),
    "GET /chat/completions/{id}": async ({ caller, params }) => {
      const { row, text } = await open(context, caller, params.id);
      return completionOf(row, text);
    },
    "POST /chat/completions/{id}": ({ caller, params, body }) =>
      updateCompletion(context, caller, params.id, metadataOf(body.metadata, undefined)),
    "DELETE /chat/completions/{id}": async ({ caller, params: { id } }) => {
      await deleteContent(context, caller, id, isStored);
      return { object: "chat.completion.deleted" as const, id, deleted: true as const };
    },
    "GET /chat/completions/{id}/messages": async ({ caller, params, query }) => {
      const { text } = await open(context, caller, params.id);
      return messagesOf(params.id, text, query);
    },
  });
}

/** A stored completion, for a caller who may see it. Throws `content_not_found`, and as `assertMayLook`. */
async function open(
  context: RunsContext,
  caller: Caller,
  id: string,
): Promise<{ row: ContentRow; text: ContentText }> {
  const { row, secret } = await findContent(context, caller.actor.accountId, id, isStored);
  await assertMayLook(context, caller.actor, row.model);
  await recordOpenings(context, caller, "content.opened", [row.id]);
  return { row, text: await openContent(secret, row) };
}

function completionOf(row: ContentRow, { output }: ContentText): StoredCompletion {
  return { ...(output as StoredCompletion), id: row.id, metadata: row.metadata ?? {} };
}

/** Completions of models that the caller may not look at are left out. */
async function listCompletions(
  context: RunsContext,
  caller: Caller,
  { after, limit = usualLimit, order = "asc", model, ...more }: CompletionQuery,
): Promise<StoredCompletions> {
  const from = await readable(context, caller.actor.accountId);
  if (!from) return listOf([], false);
  const wanted = Object.fromEntries(
    Object.entries(more).map(([name, value]) => [name.slice("metadata[".length, -1), String(value)]),
  );
  const beyond = order === "asc" ? gt : lt;
  const rows = await context.database.queries
    .select()
    .from(contents)
    .where(
      and(
        from.among,
        isStored,
        after === undefined ? undefined : beyond(contents.id, after),
        model === undefined ? undefined : eq(contents.model, model),
        Object.keys(wanted).length > 0
          ? sql`${contents.metadata} @> ${JSON.stringify(wanted)}::jsonb`
          : undefined,
        await searchableBy(context, caller.actor, contents.model),
      ),
    )
    .orderBy(order === "asc" ? asc(contents.id) : desc(contents.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  await recordOpenings(
    context,
    caller,
    "content.opened",
    shown.map(({ id }) => id),
  );
  const data: StoredCompletion[] = [];
  for (const row of shown) data.push(completionOf(row, await openContent(from.secret, row)));
  return listOf(data, rows.length > limit);
}

function listOf<Item extends { id: string }>(data: Item[], hasMore: boolean) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

async function updateCompletion(
  context: RunsContext,
  caller: Caller,
  id: string,
  metadata: Metadata | null,
): Promise<StoredCompletion> {
  const { row, text } = await open(context, caller, id);
  await audited(context, caller, "content.updated", async (queries) => {
    const [updated] = await queries
      .update(contents)
      .set({ metadata })
      .where(eq(contents.id, row.id))
      .returning({ id: contents.id });
    if (!updated) throw new ApiError("content_not_found", `${id} was deleted.`);
    return { target: row.id, result: null };
  });
  return completionOf({ ...row, metadata }, text);
}

/** The messages of a completion's request, each with an id made from its place. */
function messagesOf(
  id: string,
  { input }: ContentText,
  { after, limit = usualLimit, order = "asc" }: Pick<CompletionQuery, "after" | "limit" | "order">,
): CompletionMessages {
  const all = recordsOf(input.messages).map((message, place) => {
    const { content = null, role } = message;
    const isText = typeof content === "string" || content === null;
    return {
      ...message,
      id: `${id}-${place}`,
      role: String(role),
      content: isText ? content : null,
      content_parts: isText ? null : (content as unknown[]),
    };
  });
  const inOrder = order === "asc" ? all : all.toReversed();
  const start = after === undefined ? 0 : inOrder.findIndex((message) => message.id === after) + 1;
  return listOf(inOrder.slice(start, start + limit), start + limit < inOrder.length);
}
