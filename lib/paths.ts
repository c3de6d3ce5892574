/** The header in which proxy.ts passes on the account from a page's address. Clients must not set it. */
export const addressAccountHeader = "x-gatehouse-account";

/** Query parameter with the account's id, for links that download a file through `/api/gateway`. */
export const accountInAddress = "account";

/** Query parameter with what a page shall open, such as a dialog. Ctrl K and links use it. */
export const askedParam = "do";

const named = /^\/a\/(acct_[0-9a-z]{1,40})(?=\/|$)/;

/** Paths that belong to no account, or already contain one. */
const outside = /^\/(a|api|email|forgot|invite|public|reset|setup|sign-in)(\/|\?|#|$)/;

export interface Place {
  /** The account in the page's address. Only people with several accounts have one there; null otherwise. */
  accountId: string | null;
  /** The page's path without the account. */
  path: string;
}

/** Splits a path of the console into account and page. Any page's path may start with `/a/{account}`. */
export function placeOf(pathname: string): Place {
  const match = named.exec(pathname);
  if (!match) return { accountId: null, path: pathname };
  return { accountId: match[1] ?? null, path: pathname.slice(match[0].length) || "/" };
}

/**
 * Adds the account to a page's address. Other addresses stay unchanged, and so do all if `accountId` is null.
 */
export function inAccount(accountId: string | null, href: string): string {
  if (accountId === null || !href.startsWith("/") || href.startsWith("//") || outside.test(href)) return href;
  return `/a/${accountId}${href === "/" ? "" : href}`;
}

/** The page to open after signing in: a path of this console, or Home. */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || /^\/[/\\]/.test(path) || hasControlCharacter(path)) return "/";
  if (/^\/(sign-in|setup|invite|reset|api)(\/|\?|$)/.test(path)) return "/";
  return path;
}

/** The address of the sign-in page. After signing in, the person returns to `path`. */
export function signInPath(path: string, reason?: "ended"): string {
  const query = new URLSearchParams();
  const from = safeReturnPath(path);
  if (from !== "/") query.set("from", from);
  if (reason) query.set("reason", reason);
  const text = query.toString();
  return text ? `/sign-in?${text}` : "/sign-in";
}

function hasControlCharacter(text: string): boolean {
  // Browsers drop tabs and newlines from addresses, so "/\t/host" would become "//host", another site.
  return [...text].some((character) => character.charCodeAt(0) < 0x20);
}
