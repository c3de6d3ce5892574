import type { Config } from "#gateway/platform/core/config.ts";
import type { CauseData, MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { linesOf, plain, timeText } from "../describe-notice.ts";

/** A message without its address: the content, in sections. */
export interface Letter {
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
): Letter {
  const { lines, more } = linesOf(message);
  const sections: Section[] = lines.map(({ title, text, path }) => ({
    title,
    text,
    url: pageUrl(path, accountId),
    action: "Open",
  }));
  const total = message.items.length + message.more;
  if (more > 0)
    sections.push({
      title: `${more.toLocaleString("en-US")} more`,
      text: "The console has all of them.",
      url: pageUrl("/notices", accountId),
      action: "Show all",
    });
  const where = accountName ? ` (${plain(accountName)})` : "";
  return {
    subject:
      sections.length === 1
        ? `${sections[0]?.title}${where}`
        : `${total.toLocaleString("en-US")} notices${where}`,
    sections,
    footer: "You get this because of your notification settings:",
    footerUrl: pageUrl("/settings/notifications", accountId),
  };
}

type LinkKind = "invitation" | "password_reset" | "email_change" | "email_changed";

/** E-mails with links to join, to set a new password or to confirm an address. */
export function linkLetter(kind: LinkKind, data: CauseData, link: string | null): Letter {
  const facts = new Map(Object.entries(data));
  const said = (name: string) => plain(facts.get(name));
  const until = facts.has("expires_at") ? ` It works once, until ${timeText(facts.get("expires_at"))}.` : "";
  const url = link ?? undefined;
  switch (kind) {
    case "invitation":
      return letter(
        `${said("by") || "Somebody"} invites you to ${said("account")}`,
        {
          title: `Join ${said("account")}`,
          text: `${said("by") || "Somebody"} invites you to the account ${said("account")} as ${said("role")}. Open this link to join.${until}`,
          action: "Join",
          ...(url && { url }),
        },
        "If you do not expect this, ignore it.",
      );
    case "password_reset":
      return letter(
        "Set a new password",
        {
          title: "Set a new password",
          text: `Somebody requested a link to set a new password for ${said("email")}.${until} Setting one signs you out everywhere.`,
          action: "Set a new password",
          ...(url && { url }),
        },
        "If that was not you, ignore this: your password stays as it is.",
      );
    case "email_change":
      return letter(
        "Confirm your new e-mail address",
        {
          title: "Confirm your new e-mail address",
          text: `Somebody wants to sign in with this address instead of ${said("from")}. Open this link to confirm.${until}`,
          action: "Confirm",
          ...(url && { url }),
        },
        "If that was not you, ignore this: nothing changes.",
      );
    case "email_changed":
      return letter(
        "Your e-mail address was changed",
        {
          title: "Your e-mail address was changed",
          text: `You sign in with ${said("to")} from now on; this address no longer works. It was changed from ${said("ip") || "an unknown address"}.`,
        },
        "If it was not you, tell an owner of your account or the operator of this installation at once.",
      );
  }
}

function letter(subject: string, section: Section, footer: string): Letter {
  return { subject, sections: [section], footer };
}

/** A letter as the text and HTML of an e-mail. Text from other people is escaped in both. */
export function writeLetter({ subject, sections, footer, footerUrl }: Letter): {
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
          ? `<p style="margin:0 0 12px"><a href="${escaped(url)}" style="color:#4338ca">${escaped(action ?? "Open")}</a></p>`
          : ""
      }`,
  );
  const settings = footerUrl
    ? ` <a href="${escaped(footerUrl)}" style="color:#5b5b66">${escaped("Settings")}</a>`
    : "";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="font-family:system-ui,sans-serif;font-size:14px;line-height:1.5;color:#1c1c22;background:#fff;max-width:560px;margin:0 auto;padding:16px">${parts.join("")}<p style="margin:32px 0 0;font-size:12px;color:#5b5b66">${escaped(footer)}${settings}</p></body></html>`;
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
