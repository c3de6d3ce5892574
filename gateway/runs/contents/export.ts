import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { ContentExportQuery } from "#contract/contents.ts";
import { maxExportedChats } from "#contract/contents-constants.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { contents } from "#gateway/platform/database/schema.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { filteredContents, openContent, readable } from "./read.ts";
import type { ContentText } from "./text.ts";

const readAtOnce = 20;

/**
 * Sends chats with whole answers as JSONL in the shape that fine-tuning takes, the newest first. Ends when the caller
 * disconnects or loses the permission.
 */
export async function exportContents(
  context: RunsContext,
  caller: Caller,
  query: ContentExportQuery,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { actor } = caller;
  await recordAudit(context.database.queries, {
    ...byCaller(caller),
    action: "contents.exported",
    targetId: actor.accountId,
    detail: { ...query },
  });
  const stream = Readable.from(linesOf(context, caller, query), { objectMode: false });
  whenClosed(
    reply.raw,
    reply.server.watchCredential(actor, "contents:read", () => stream.destroy()),
  );
  return reply
    .headers({
      "content-type": "application/jsonl; charset=utf-8",
      "content-disposition": 'attachment; filename="contents.jsonl"',
    })
    .send(stream);
}

async function* linesOf(
  context: RunsContext,
  { actor }: Caller,
  query: ContentExportQuery,
): AsyncGenerator<Buffer> {
  let after: string | undefined;
  for (let written = 0; written < maxExportedChats; ) {
    // Read again for each page: what was turned off or withdrawn meanwhile is not sent.
    const from = await readable(context, actor.accountId);
    if (!from) return;
    const isSeen = await searchableBy(context, actor, contents.model);
    const page = filteredContents(from.among, { ...query, limit: readAtOnce, ...(after && { after }) }, [
      and(eq(contents.apiType, "chat-completions"), isSeen),
    ]);
    const rows = await context.database.queries
      .select()
      .from(contents)
      .where(page.where)
      .orderBy(page.order)
      .limit(readAtOnce);
    for (const row of rows) {
      const line = lineOf(await openContent(from.secret, row));
      if (line === null) continue;
      yield Buffer.from(`${line}\n`);
      written += 1;
    }
    after = rows.at(-1)?.id;
    if (rows.length < readAtOnce) return;
  }
}

/** A chat as a line for fine-tuning: its messages with the answer, and its tools. Null without a whole answer. */
function lineOf({ input, output, failure, isCut }: ContentText): string | null {
  const [choice] = recordsOf((output as { choices?: unknown } | null)?.choices);
  if (failure !== null || isCut || !choice?.message) return null;
  const { messages, tools } = input;
  if (!Array.isArray(messages)) return null;
  return JSON.stringify({ messages: [...messages, choice.message], ...(tools !== undefined && { tools }) });
}
