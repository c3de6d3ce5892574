import type { Config } from "#gateway/platform/core/config.ts";
import type { CauseData, MessageItem } from "#gateway/platform/database/tables/notices.ts";
import type { Words } from "#messages/words.ts";
import { linesOf, type NoticeTexts, plain, timeText } from "../describe-notice.ts";

export type MailTexts = Words<"mail">;

/** A message without its address: the content, in sections. */
export interface Letter {
  texts: MailTexts;
  subject: string;
  sections: Section[];
  /** Why the reader gets it, and where to change that. */
  footer: string;
  footerUrl?: string;
}

export interface Section {
  title: string;
  text: string;
  url?: string;
  /** The label of the button. */
  action?: string;
}

/** Makes the URL of a console page, for an account. */
export type PageUrl = (path: string, accountId: string | null) => string;

/** An e-mail with one notice or a digest of several. */
export function noticeLetter(
  message: { items: readonly MessageItem[]; more: number; causes: readonly string[] },
  {
    accountId,
    accountName,
    pageUrl,
  }: { accountId: string | null; accountName: string | null; pageUrl: PageUrl },
  texts: MailTexts,
  noticeTexts: NoticeTexts,
): Letter {
  const { lines, more } = linesOf(message, noticeTexts);
  const sections: Section[] = lines.map(({ title, text, path }) => ({
    title,
    text,
    url: pageUrl(path, accountId),
    action: texts("open"),
  }));
  const total = message.items.length + message.more;
  if (more > 0)
    sections.push({
      title: texts("more", { count: more }),
      text: texts("moreText"),
      url: pageUrl("/notices", accountId),
      action: texts("showAll"),
    });
  const [first] = sections;
  const subject = sections.length === 1 && first ? first.title : texts("notices", { count: total });
  return {
    texts,
    subject: accountName ? texts("inAccount", { subject, account: plain(accountName) }) : subject,
    sections,
    footer: texts("why"),
    footerUrl: pageUrl("/settings/notifications", accountId),
  };
}

type LinkKind = "invitation" | "password_reset" | "email_change" | "email_changed";

/** E-mails with links to join, to set a new password or to confirm an address. */
export function linkLetter(kind: LinkKind, data: CauseData, link: string | null, texts: MailTexts): Letter {
  const facts = new Map(Object.entries(data));
  const said = (name: string) => plain(facts.get(name));
  const values = {
    account: said("account"),
    by: said("by") || texts("somebody"),
    email: said("email"),
    from: said("from"),
    ip: said("ip") || texts("unknownAddress"),
    role: said("role"),
    to: said("to"),
    until: timeText(facts.get("expires_at"), texts.language),
  };
  const say = texts as (key: string, values?: object) => string;
  const subject = say(kind, values);
  const section: Section = {
    title: kind === "invitation" ? texts("invitationTitle", values) : subject,
    text: say(`${kind}Text`, values),
    ...(kind !== "email_changed" && { action: texts(`${kind}Action`) }),
    ...(link !== null && { url: link }),
  };
  return { texts, subject, sections: [section], footer: texts(`${kind}Else`) };
}

/** A letter as the text and HTML of an e-mail. Text from other people is escaped in both. */
export function writeLetter({ texts, subject, sections, footer, footerUrl }: Letter): {
  subject: string;
  text: string;
  html: string;
} {
  const text = [
    ...sections.map(({ title, text: body, url }) => [title, body, url].filter(Boolean).join("\n")),
    ["--", footer, footerUrl].filter(Boolean).join("\n"),
  ].join("\n\n");
  const parts = sections.map(
    ({ title, text: body, url, action }) =>
      `<h2 style="font-size:16px;margin:24px 0 4px">${escaped(title)}</h2><p style="margin:0 0 12px">${escaped(body)}</p>${
        url
          ? `<p style="margin:0 0 12px"><a href="${escaped(url)}" style="color:#4338ca">${escaped(action ?? texts("open"))}</a></p>`
          : ""
      }`,
  );
  const settings = footerUrl
    ? ` <a href="${escaped(footerUrl)}" style="color:#5b5b66">${escaped(texts("settings"))}</a>`
    : "";
  const html = `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="font-family:system-ui,sans-serif;font-size:14px;line-height:1.5;color:#1c1c22;background:#fff;max-width:560px;margin:0 auto;padding:16px">${parts.join("")}<p style="margin:32px 0 0;font-size:12px;color:#5b5b66">${escaped(footer)}${settings}</p></body></html>`;
  // Cleaned again, because a subject is a header.
  return { subject: plain(subject), text: `${text}\n`, html };
}

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "");
}

/** URLs of console pages, in the account that they are about. */
export function pageUrls({ consoleUrl }: Pick<Config, "consoleUrl">): PageUrl {
  return (path, accountId) => `${consoleUrl}${accountId === null ? "" : `/a/${accountId}`}${path}`;
}
