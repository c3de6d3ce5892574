import type { NoticeGroup, NoticeList, NoticeQuery } from "#contract/notices.ts";
import type { Language } from "../../messages/languages.ts";

/** Query for unread notices, grouped by cause. */
export function unreadByCause(language: Language) {
  return { unread: true, grouped: true, limit: 1, ...inLanguage(language) } satisfies NoticeQuery;
}

/** Asks for the texts of notices in another language than the API's own. */
export function inLanguage(language: Language): Pick<NoticeQuery, "language"> {
  return language === "en" ? {} : { language };
}

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
