import type { Config } from "#gateway/platform/core/config.ts";
import type { PageUrl } from "./mail/compose.ts";

/** URLs of console pages, in the account that they are about. */
export function pageUrls({ consoleUrl }: Pick<Config, "consoleUrl">): PageUrl {
  return (path, accountId) => `${consoleUrl}${accountId === null ? "" : `/a/${accountId}`}${path}`;
}
