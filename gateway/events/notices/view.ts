import type { Notice } from "#contract/notices.ts";
import type { notices } from "#gateway/platform/database/schema.ts";
import { wordsOf } from "./words.ts";

export type NoticeRow = typeof notices.$inferSelect;

export function noticeView(row: NoticeRow): Notice {
  const { id, cause, count, subjectId, accountId, emailError } = row;
  return {
    id,
    object: "notice",
    cause,
    ...wordsOf(row),
    count,
    subject_id: subjectId,
    account_id: accountId,
    created_at: row.createdAt.toISOString(),
    last_at: row.lastAt.toISOString(),
    read_at: row.readAt?.toISOString() ?? null,
    email_error: emailError,
  };
}
