import { isRecord } from "#contract/input-schema/json-values.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import {
  BlockedAddressError,
  checkUrl,
  createGuardedAgent,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { redirectFault } from "./redirect-uris.ts";

/** Enough for a document with a name and some URLs. */
const maxBytes = 16_384;

const totalMs = 5_000;

const freshMs = 600_000;

const maxKnown = 500;

export const maxRedirectUris = 20;

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

async function fetchDocument(address: string, { ports, allowCidrs, caFile }: Config["webhooks"]) {
  const checked = checkUrl(address, { ports, allowCidrs });
  if (!checked.ok) throw invalidClient(`The client's address ${checked.reason}.`);
  const { url } = checked;
  if (url.href !== address || url.pathname === "/")
    throw invalidClient("The client's address must have a path, and be written in its plain form.");
  const agent = createGuardedAgent({ ports, allowCidrs, caFile, connectTimeoutMs: totalMs });
  try {
    const { answer, chunks } = exchange(
      agent,
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "gatehouse" },
      },
      { maxBytes, refuseLarger: true, totalMs },
    );
    const { status, headers, truncated } = await answer;
    if (status !== 200) throw invalidClient(`The client's address answered ${status}, not its document.`);
    if (truncated) throw invalidClient(`The client's document is larger than ${maxBytes} bytes.`);
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers["content-type"] ?? "")))
      throw invalidClient("The client's address does not answer with JSON.");
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if (error instanceof BlockedAddressError || error instanceof NameNotResolvedError)
      throw invalidClient("The client's address does not lead to a public address.", error);
    if (error instanceof Error && "param" in error) throw error;
    throw invalidClient("The client's document could not be read from its address.", error);
  } finally {
    await agent.destroy();
  }
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
export function shownName(text: unknown, otherwise: string): string {
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
