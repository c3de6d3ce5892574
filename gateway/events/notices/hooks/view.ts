import type { NoticeHook } from "#contract/notices.ts";
import type { noticeHooks } from "#gateway/platform/database/schema.ts";

export type HookRow = typeof noticeHooks.$inferSelect;

export function hookView(row: HookRow): NoticeHook {
  return {
    id: row.id,
    object: "notice_hook",
    name: row.name,
    template: row.template,
    causes: row.causes,
    url_hint: row.hint,
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_error: row.lastError,
    last_error_at: row.lastErrorAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
