const longest = 2_000;
/** Schemes that browsers handle themselves: they must not receive a code or run a script. */
const browserSchemes = new Set([
  "about",
  "blob",
  "chrome",
  "chrome-extension",
  "data",
  "file",
  "filesystem",
  "ftp",
  "http",
  "intent",
  "javascript",
  "mailto",
  "moz-extension",
  "resource",
  "sms",
  "tel",
  "vbscript",
  "view-source",
  "ws",
  "wss",
]);
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
const hidden = /[\p{Cc}\p{Cf}\p{Z}\\]/u;

/** Why a code must not be sent to this URL of a client; null if it may. Completes "The address …". */
export function redirectFault(text: unknown): string | null {
  if (typeof text !== "string" || text === "") return "is missing";
  if (text.length > longest) return `is longer than ${longest} characters`;
  if (hidden.test(text)) return "contains spaces, backslashes or invisible characters";
  const url = URL.parse(text);
  if (!url) return "is not a valid address";
  if (text.includes("#")) return "must not have a fragment (#…)";
  if (url.username !== "" || url.password !== "") return "must not contain credentials";
  if (url.protocol === "https:") return null;
  if (isLoopback(url)) return null;
  const scheme = url.protocol.slice(0, -1);
  if (browserSchemes.has(scheme) || scheme.startsWith("ms-"))
    return "must use https, the scheme of an app, or http on this device (localhost, 127.0.0.1, [::1])";
  return null;
}

/**
 * Whether a URL is one that the client registered: the same text, on this device with any port (RFC 8252,
 * 7.3).
 */
export function isNamed(asked: string, named: readonly string[]): boolean {
  if (named.includes(asked)) return true;
  const url = URL.parse(asked);
  if (!url || !isLoopback(url)) return false;
  return named.some((text) => {
    const other = URL.parse(text);
    return other !== null && isLoopback(other) && withoutPort(asked) === withoutPort(text);
  });
}

export type RedirectKind = "web" | "this_device" | "app";

/** The destination of a redirect URL, for a person to read: a host, this device or an app. The URL must be valid. */
export function redirectTarget(text: string): { host: string; kind: RedirectKind } {
  const url = new URL(text);
  if (url.protocol === "https:") return { host: url.host, kind: "web" };
  if (isLoopback(url)) return { host: url.host, kind: "this_device" };
  return { host: `${url.protocol}//`, kind: "app" };
}

/** The URL with these parameters added to its own. */
export function withParameters(text: string, parameters: Record<string, string | undefined>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value);
  return `${text}${text.includes("?") ? "&" : "?"}${added}`;
}

function isLoopback(url: URL): boolean {
  return url.protocol === "http:" && loopbackHosts.has(url.hostname);
}

/** Compared as text, because the parser would make different URLs equal. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/i, "$1");
}
