/** The page to return to after signing in: a path of this console, or Home. */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || /^\/[/\\]/.test(path) || hasControlCharacter(path)) return "/";
  if (/^\/(sign-in|setup|invite|reset|api)(\/|\?|$)/.test(path)) return "/";
  return path;
}

/** The sign-in page, which returns to `path`. */
export function signInPath(path: string, reason?: "ended"): string {
  const query = new URLSearchParams();
  const from = safeReturnPath(path);
  if (from !== "/") query.set("from", from);
  if (reason) query.set("reason", reason);
  const text = query.toString();
  return text ? `/sign-in?${text}` : "/sign-in";
}

function hasControlCharacter(text: string): boolean {
  // Browsers drop tabs and newlines from addresses, which would turn "/\t/host" into "//host".
  return [...text].some((character) => character.charCodeAt(0) < 0x20);
}
