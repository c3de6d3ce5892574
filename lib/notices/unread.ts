import type { NoticeGroup, NoticeList, NoticeQuery } from "#contract/notices.ts";

/** Query for unread notices, grouped by cause. */
export const unreadByCause = { unread: true, grouped: true, limit: 1 } satisfies NoticeQuery;

/** Most lines in the bell's menu. The notices page shows all. */
const maxLines = 8;

/** The content of the bell: the number of unread causes, and the newest. */
export interface Unread {
  /** How many causes have unread notices. */
  causes: number;
  /** The newest causes. */
  newest: readonly NoticeGroup[];
}

export function unreadOf({ groups = [] }: NoticeList): Unread {
  return { causes: groups.length, newest: groups.slice(0, maxLines) };
}
