/** The header in which proxy.ts tells the server which account a page's address names. Nobody else may set it. */
export const addressAccountHeader = "x-gatehouse-account";

/** Names the account in the address of a file that a link saves through `/api/gateway`. */
export const accountInAddress = "account";

const named = /^\/a\/(acct_[0-9a-z]{1,40})(?=\/|$)/;
/** Addresses that belong to no account, or name theirs already. */
const outside = /^\/(a|api|email|forgot|invite|public|reset|setup|sign-in)(\/|\?|#|$)/;

/** Where somebody is in the console. */
export interface Place {
  /** The account that the address names, as it does for people who have several; null where it names none. */
  accountId: string | null;
  /** The page's own path. */
  path: string;
}

/** Reads a path of the console: `/a/{account}` may stand before the path of any page. */
export function placeOf(pathname: string): Place {
  const match = named.exec(pathname);
  if (!match) return { accountId: null, path: pathname };
  return { accountId: match[1] ?? null, path: pathname.slice(match[0].length) || "/" };
}

/** The address of a page in an account; other addresses, and all where no account is named, stay as they are. */
export function inAccount(accountId: string | null, href: string): string {
  if (accountId === null || !href.startsWith("/") || href.startsWith("//") || outside.test(href)) return href;
  return `/a/${accountId}${href === "/" ? "" : href}`;
}
