import type { NoticeGroup, NoticeList, NoticeQuery } from "#contract/notices.ts";

/** Query for unread notices, by cause. */
export const unreadByCause = { unread: true, grouped: true, limit: 1 } satisfies NoticeQuery;

/** Lines of the bell's menu; the page of notices has all. */
const maxLines = 8;

/** What the bell shows. */
export interface Unread {
  /** How many causes have unread notices. */
  causes: number;
  /** The newest causes. */
  newest: readonly NoticeGroup[];
}

export function unreadOf({ groups = [] }: NoticeList): Unread {
  return { causes: groups.length, newest: groups.slice(0, maxLines) };
}
