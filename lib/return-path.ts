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
