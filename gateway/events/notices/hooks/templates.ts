import type { HookTemplate } from "#contract/notice-constants.ts";
import type { MessageItem } from "#gateway/platform/database/tables/notices.ts";
import { bracketed } from "#messages/marks.ts";
import type { Words } from "#messages/words.ts";
import { describeInMessage, linesOf } from "../describe-notice.ts";
import type { PageUrl } from "../mail/compose.ts";

export interface HookMessage {
  id: string;
  /** Null: the notices are about the installation. */
  accountId: string | null;
  ownerName: string;
  createdAt: Date;
  items: readonly MessageItem[];
  more: number;
  causes: readonly string[];
}

/** Discord's limits are 2,000 characters for the content and 10 embeds. */
const discordEmbeds = 10;

interface Line {
  title: string;
  text: string;
  url: string;
}

/** The words of a message. */
export interface HookTexts {
  notices: Words<"causes">;
  mail: Words<"mail">;
}

type Writer = (
  message: HookMessage,
  lines: readonly Line[],
  rest: string | null,
  pageUrl: PageUrl,
  texts: HookTexts,
) => object;

const writers: Record<HookTemplate, Writer> = {
  slack: ({ ownerName }, lines, rest, _pageUrl, { mail }) => ({
    text: [
      ...lines.map(
        ({ title, text, url }) =>
          `${bracketed(mail.language, `*<${url}|${slackText(title)}>*`, slackText(ownerName))}\n${slackText(text)}`,
      ),
      ...(rest ? [slackText(rest)] : []),
    ].join("\n\n"),
    unfurl_links: false,
  }),
  discord: ({ ownerName }, lines, rest, _pageUrl, { mail }) => {
    const shown = lines.slice(0, discordEmbeds);
    const left = lines.length - shown.length;
    return {
      content: discordText(
        [ownerName, left > 0 ? mail("more", { count: left }) : null, rest]
          .filter((part) => part !== null)
          .join(" · "),
      ),
      embeds: shown.map(({ title, text, url }) => ({
        title: discordText(title).slice(0, 256),
        description: discordText(text),
        url,
      })),
      allowed_mentions: { parse: [] },
    };
  },
  // Teams shows text runs as they are, without reading them as markup.
  teams: ({ ownerName }, lines, rest) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            richText(ownerName, { isSubtle: true }),
            ...lines.flatMap(({ title, text, url }) => [
              richText(title, { weight: "Bolder", selectAction: { type: "Action.OpenUrl", url } }),
              richText(text),
            ]),
            ...(rest ? [richText(rest)] : []),
          ],
        },
      },
    ],
  }),
  // Programs get each notice separately.
  json: ({ id, accountId, ownerName, createdAt, items, more }, _lines, _rest, pageUrl, texts) => ({
    id,
    object: "notice_message",
    created: createdAt.toISOString(),
    account: accountId === null ? null : { id: accountId, name: ownerName },
    data: items.map((item) => {
      const { title, text, path } = describeInMessage(item, texts.notices);
      const { cause, count, subjectId, data } = item;
      const url = pageUrl(path, accountId);
      return { object: "notice", subject_id: subjectId, cause, title, text, url, count, data };
    }),
    more,
  }),
};

/**
 * A message in the format of the service behind a hook. Text from other people stays plain text, mentions
 * nobody and contains no links.
 */
export function hookBody(
  template: HookTemplate,
  message: HookMessage,
  pageUrl: PageUrl,
  texts: HookTexts,
): string {
  const { lines, more } = linesOf(message, texts.notices);
  const linked = lines.map(({ title, text, path }) => ({
    title,
    text,
    url: pageUrl(path, message.accountId),
  }));
  const rest = more > 0 ? texts.mail("moreInConsole", { count: more }) : null;
  return JSON.stringify(writers[template](message, linked, rest, pageUrl, texts));
}

function slackText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`]/g, "\u200b$&");
}

function discordText(text: string): string {
  return text.replace(/[\\*_~`|>#[\]()@-]/g, "\\$&").slice(0, 1_900);
}

function richText(text: string, look: Record<string, unknown> = {}): object {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...look }] };
}
