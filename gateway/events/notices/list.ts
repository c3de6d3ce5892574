import { maxCountedUnread, type NoticeList, type NoticeQuery } from "#contract/notices.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { notices } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { noticeView } from "./view.ts";
import { visibleTo } from "./visible.ts";

/** A page of the caller's notices, and how many are unread. Throws as `keyset`. */
export async function listNotices(
  { database }: Context,
  actor: Actor,
  query: NoticeQuery,
): Promise<NoticeList> {
  const { queries } = database;
  const unread = and(visibleTo(actor), isNull(notices.readAt));
  const page = keyset("notice", notices.id, query, [
    query.unread ? unread : visibleTo(actor),
    query.cause && eq(notices.cause, query.cause),
  ]);
  const rows = await queries.select().from(notices).where(page.where).orderBy(page.order).limit(page.limit);
  const counted = await queries
    .select({ id: notices.id })
    .from(notices)
    .where(unread)
    .limit(maxCountedUnread);
  return { ...(await withTotal(queries, page, listOf(page, rows, noticeView))), unread: counted.length };
}
