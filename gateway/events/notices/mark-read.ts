import { isId } from "#contract/ids.ts";
import type { Notice, NoticesRead, NoticesReadAll } from "#contract/notices.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, isNull, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { notices } from "#gateway/platform/database/schema.ts";
import { noticeView } from "./view.ts";
import { visibleTo } from "./visible.ts";

/** Marks one notice as read; one that was read stays as it is. Throws `notice_not_found`. */
export async function markRead({ database }: Context, actor: Actor, id: string): Promise<Notice> {
  const [row] = await database.queries
    .update(notices)
    .set({ readAt: sql`coalesce(${notices.readAt}, now())` })
    .where(and(visibleTo(actor), eq(notices.id, id)))
    .returning();
  if (!row) throw new ApiError("notice_not_found", "There is no such notice.");
  return noticeView(row);
}

/** Marks all as read, up to the newest that the caller has seen. Throws `invalid_cursor`. */
export async function markAllRead(
  { database }: Context,
  actor: Actor,
  { up_to: upTo }: NoticesReadAll,
): Promise<NoticesRead> {
  if (upTo !== undefined && !isId("notice", upTo))
    throw new ApiError("invalid_cursor", "up_to must be the id of a notice.", { param: "up_to" });
  const { rowCount } = await database.queries
    .update(notices)
    .set({ readAt: clock.date() })
    .where(
      and(visibleTo(actor), isNull(notices.readAt), upTo === undefined ? undefined : lte(notices.id, upTo)),
    );
  return { object: "notices_read", read: rowCount ?? 0 };
}
