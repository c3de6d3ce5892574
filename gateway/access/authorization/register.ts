import { isRecord } from "#contract/input-schema/json-values.ts";
import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { authorizationClients } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { newLinkSecret } from "../accounts/keys/format.ts";
import { maxRedirectUris, shownName } from "./client-documents.ts";

import { OAuthError } from "./oauth.ts";
import { redirectFault } from "./redirect-uris.ts";

const registrations: Limit = { name: "client registrations", count: 30, periodMs: 3_600_000 };
/** Registrations without a connection, over all IP addresses. */
const maxUnused = 10_000;
const unusedMs = 24 * 3_600_000;

/**
 * Registers a client that has no metadata document (RFC 7591). Ignores unknown fields, as the standard
 * requires. The client gets an id and no secret. Throws `rate_limit_exceeded` and the standard's errors.
 */
export async function registerClient(context: BaseContext, body: unknown, address: string) {
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
