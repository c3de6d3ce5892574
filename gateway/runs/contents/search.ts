import type { ContentSearch, ContentSearchQuery, FoundContent } from "#contract/contents.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { and, inArray } from "#gateway/platform/database/drizzle.ts";
import { contents } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { filteredContents, openText, readable, summaryOf } from "./read.ts";

/** There is no index of the texts, so a search opens them one after the other, the newest first. */
const maxMs = 1_000;
const maxFound = 50;
/** One statement reads the sizes of this many contents, and the texts of a few. */
const lookedAtOnce = 500;
const openedAtOnce = { contents: 25, bytes: 4_000_000 };
const excerptLength = 80;
/** The beginning or the end of a string in JSON. */
const quote = /(?<!\\)"/;

/**
 * Finds the contents in which every word occurs, for at most a second. Throws `contents_search_running` while another
 * search of the account runs.
 */
export async function searchContents(
  context: RunsContext,
  caller: Caller,
  query: ContentSearchQuery,
): Promise<ContentSearch> {
  const { accountId } = caller.actor;
  const release = await context.limiter.occupy(`search in contents of ${accountId}`, 1);
  if (release === null)
    throw new ApiError(
      "contents_search_running",
      "A search in this account's contents is running. Send this one when that has ended, within a second.",
    );
  try {
    await recordAudit(context.database.queries, {
      ...byCaller(caller),
      action: "contents.searched",
      targetId: accountId,
    });
    return await search(context, caller, query);
  } finally {
    release();
  }
}

async function search(
  context: RunsContext,
  { actor }: Caller,
  { query: asked, ...filter }: ContentSearchQuery,
): Promise<ContentSearch> {
  const { queries } = context.database;
  const from = await readable(context, actor.accountId);
  const words = wordsOf(asked);
  const found: FoundContent[] = [];
  let read = 0;
  let last: { id: string; at: Date } | null = null;
  const answer = (isComplete: boolean): ContentSearch => ({
    object: "contents_search",
    data: found,
    read,
    read_until: last?.at.toISOString() ?? null,
    next: isComplete ? null : (last?.id ?? null),
  });
  if (!from || words.length === 0) return answer(true);
  const until = performance.now() + maxMs;
  const page = filteredContents(from.among, { ...filter, limit: lookedAtOnce }, [
    await searchableBy(context, actor, contents.model),
  ]);
  const sizes = await queries
    .select({ id: contents.id, sizeBytes: contents.sizeBytes })
    .from(contents)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const othersRun = yieldToEventLoop();
  for (let at = 0; at < sizes.length; ) {
    const ids: string[] = [];
    let bytes = 0;
    for (let size = sizes[at]; size && ids.length < openedAtOnce.contents; size = sizes[at]) {
      if (ids.length > 0 && bytes + size.sizeBytes > openedAtOnce.bytes) break;
      ids.push(size.id);
      bytes += size.sizeBytes;
      at += 1;
    }
    // Sweeps may have removed some meanwhile, and a switch may have replaced the key.
    const rows = await queries
      .select()
      .from(contents)
      .where(and(inArray(contents.id, ids), from.among))
      .orderBy(page.order);
    for (const row of rows) {
      const text = await openText(from.secret, row);
      const place = placeOf(text.toLowerCase(), words);
      if (place !== null)
        found.push({ ...summaryOf(from.secret, row, false), excerpt: excerptAt(text, place) });
      read += 1;
      last = row;
      await othersRun();
      if (found.length >= maxFound || performance.now() > until) return answer(false);
    }
  }
  return answer(sizes.length < page.limit);
}

/** The words in lower case, as they are written in JSON. */
function wordsOf(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => JSON.stringify(word).slice(1, -1));
}

/** Where the first word occurs; null unless all of them do. */
function placeOf(text: string, words: readonly string[]): number | null {
  const [first = 0, ...others] = words.map((word) => text.indexOf(word));
  return first < 0 || others.some((place) => place < 0) ? null : first;
}

/** The text around a place in JSON, within its string. */
function excerptAt(text: string, place: number): string {
  const before =
    text
      .slice(Math.max(0, place - excerptLength), place)
      .split(quote)
      .at(-1) ?? "";
  const [after = ""] = text.slice(place, place + excerptLength).split(quote);
  return (before + after).replaceAll("\\n", " ").replaceAll('\\"', '"').toWellFormed();
}
