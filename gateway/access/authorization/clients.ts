import { isRecord } from "#contract/input-schema/json-values.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import { isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { authorizationClients } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { newLinkSecret } from "../accounts/keys/format.ts";
import { OAuthError } from "./oauth.ts";
import { DocumentError, readPublicJson } from "./public-document.ts";

/** A client that requests a connection. */
export interface Client {
  id: string;
  name: string;
  /**
   * The host of its metadata document; null: the client registered itself, under a name that nobody has
   * checked.
   */
  host: string | null;
  redirectUris: readonly string[];
}

const maxRedirectUris = 20;

const registrations: Limit = { name: "client registrations", count: 30, periodMs: 3_600_000 };

/** Registrations without a connection, over all IP addresses. */
const maxUnused = 10_000;

const unusedMs = 24 * 3_600_000;

/**
 * Registers a client that has no metadata document (RFC 7591). Ignores unknown fields, as the standard
 * requires. The client gets an id and no secret. Throws `rate_limit_exceeded` and the standard's errors.
 */
export async function registerClient(context: AccessContext, body: unknown, address: string) {
  const taken = await context.limiter.take(addressBlock(address), registrations);
  if (!taken.allowed) throw tooManyRequests("Too many clients registered from this address.", taken);
  const {
    redirect_uris: uris,
    client_name: given,
    grant_types: grants,
    response_types: types,
  } = recordOf(body);
  const redirectUris = checkedUris(uris);
  if (Array.isArray(grants) && !grants.includes("authorization_code"))
    throw new OAuthError("invalid_client_metadata", "grant_types must include authorization_code.");
  if (Array.isArray(types) && !types.includes("code"))
    throw new OAuthError("invalid_client_metadata", "response_types must include code.");
  const { queries } = context.database;
  const isUnused = isNull(authorizationClients.connectedAt);
  if ((await queries.$count(authorizationClients, isUnused)) >= maxUnused)
    throw new OAuthError(
      "temporarily_unavailable",
      "Too many registered clients are not connected yet. Try again tomorrow.",
    );
  const id = `client_${newLinkSecret()}`;
  const name = shownName(given, "A client without a name");
  const at = clock.date();
  await queries
    .insert(authorizationClients)
    .values({ id, name, redirectUris, createdAt: at, expiresAt: new Date(at.getTime() + unusedMs) });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(at.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

function checkedUris(uris: unknown): string[] {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris)
    throw new OAuthError("invalid_redirect_uri", `Name 1 to ${maxRedirectUris} redirect_uris.`);
  for (const uri of uris) {
    const fault = redirectFault(uri);
    if (fault) throw new OAuthError("invalid_redirect_uri", `A redirect_uri ${fault}.`);
  }
  return uris;
}

function recordOf(body: unknown): Record<string, unknown> {
  if (isRecord(body)) return body;
  throw new OAuthError("invalid_client_metadata", "Send a JSON object.");
}

export const authorizationClientSweep = rowSweep({
  kind: "authorization_clients",
  table: "authorization_clients",
  dueAt: "expires_at",
});

/** Enough for a document with a name and some URLs. */
const maxBytes = 16_384;

const freshMs = 600_000;

const maxKnown = 500;

/** The metadata documents that clients publish at their own URLs. */
export interface ClientDocuments {
  /** From the cache for ten minutes, otherwise fetched from its URL. Throws `invalid_client`. */
  read(address: string): Promise<Client>;
}

/**
 * Fetches through the address guard, without redirects. Uses the settings of webhooks: ports, private
 * networks, authorities.
 */
export function createClientDocuments({ webhooks }: Pick<Config, "webhooks">): ClientDocuments {
  const known = new Map<string, { client: Client; until: number }>();
  return {
    async read(address) {
      const found = known.get(address);
      if (found && found.until > performance.now()) return found.client;
      const client = clientOf(address, await fetchDocument(address, webhooks));
      setBounded(known, address, { client, until: performance.now() + freshMs }, maxKnown);
      return client;
    },
  };
}

async function fetchDocument(address: string, webhooks: Config["webhooks"]) {
  const checked = checkUrl(address, webhooks);
  if (!checked.ok) throw invalidClient(`The client's address ${checked.reason}.`);
  const { url } = checked;
  if (url.href !== address || url.pathname === "/")
    throw invalidClient("The client's address must have a path, and be written in its plain form.");
  return readPublicJson(url, webhooks, maxBytes).catch((error: unknown) => {
    throw error instanceof DocumentError
      ? invalidClient(`The client's address ${error.message}.`, error)
      : error;
  });
}

export function invalidClient(message: string, cause?: unknown): ApiError {
  return new ApiError("invalid_client", message, { param: "client_id", cause });
}

const longestName = 100;

function clientOf(address: string, text: string): Client {
  const document = recordIn(text);
  if (document.client_id !== address)
    throw invalidClient("The document at the client's address is that of another client.");
  const { redirect_uris: uris, token_endpoint_auth_method: method = "none" } = document;
  if (method !== "none")
    throw invalidClient(
      "The client's document must set token_endpoint_auth_method to none; the gateway uses PKCE.",
    );
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris)
    throw invalidClient(`The client's document must name 1 to ${maxRedirectUris} redirect_uris.`);
  // Ignores URLs that must not receive a code; some clients list test URLs.
  const redirectUris = uris.filter((uri): uri is string => redirectFault(uri) === null);
  const { host } = new URL(address);
  return { id: address, name: shownName(document.client_name, host), host, redirectUris };
}

/** A name chosen by a stranger, without characters that disguise text. */
function shownName(text: unknown, otherwise: string): string {
  const plain = typeof text === "string" ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() : "";
  return [...(plain || otherwise)].slice(0, longestName).join("");
}

function recordIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw invalidClient("The client's document is not valid JSON.", error);
  }
  throw invalidClient("The client's document is not a JSON object.");
}

const longestUri = 2_000;

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
  if (text.length > longestUri) return `is longer than ${longestUri} characters`;
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

function isLoopback(url: URL): boolean {
  return url.protocol === "http:" && loopbackHosts.has(url.hostname);
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

type RedirectKind = "web" | "this_device" | "app";

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

/** Compared as text, because the parser would make different URLs equal. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/i, "$1");
}
