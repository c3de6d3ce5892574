import { connectionScopes } from "#contract/connection-constants.ts";
import { tokenExchange } from "#contract/key-rule-constants.ts";
import {
  credentialHash,
  familyOf,
  newAccessToken,
  newRefreshToken,
} from "#gateway/access/accounts/keys/format.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";

/** The paths of the authorization server, at the gateway's own URL. */
export const paths = {
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

type Addresses = Pick<Config, "publicUrl" | "consoleUrl">;

/** The issuer: the gateway's URL, as clients reach it. */
export function issuerOf({ publicUrl }: Pick<Addresses, "publicUrl">): string {
  return publicUrl.replace(/\/+$/, "");
}

/** The resource that a token is valid for. */
export function resourceOf(config: Pick<Addresses, "publicUrl">): string {
  return `${issuerOf(config)}/mcp`;
}

/** The metadata of the resource, which names the server that issues tokens for it (RFC 9728). */
export function resourceMetadata(config: Addresses) {
  return {
    resource: resourceOf(config),
    authorization_servers: [issuerOf(config)],
    scopes_supported: connectionScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Gatehouse",
  };
}

/** The audience of workloads' tokens for an account, unless its rule names another. */
export function audienceOf(config: Pick<Addresses, "publicUrl">, accountId: string): string {
  return `${issuerOf(config)}/${accountId}`;
}

/** The metadata of the authorization server (RFC 8414). Its consent page is in the console. */
export function serverMetadata(config: Addresses) {
  const issuer = issuerOf(config);
  return {
    issuer,
    authorization_endpoint: `${config.consoleUrl.replace(/\/+$/, "")}/authorize`,
    token_endpoint: issuer + paths.token,
    registration_endpoint: issuer + paths.register,
    revocation_endpoint: issuer + paths.revoke,
    scopes_supported: connectionScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", tokenExchange.grant],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/**
 * The header of the answer to a request without a valid token: it names the address of the metadata (RFC
 * 9728, 6750).
 */
export function challenge(config: Addresses, wasRefused: boolean): string {
  const parts = [
    ...(wasRefused ? ['error="invalid_token"'] : []),
    `resource_metadata="${issuerOf(config)}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${connectionScopes.join(" ")}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}

/** The standard's error codes (RFC 6749, 7591, 8707) that the gateway uses. */
type OAuthCode =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_target"
  | "invalid_scope"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "temporarily_unavailable"
  | "server_error";

/**
 * A refusal in the standard's form: a 400 at the gateway's own routes, parameters at the end of a redirect.
 */
export class OAuthError extends Error {
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return this.code === "temporarily_unavailable" ? 503 : 400;
  }

  get body(): { error: OAuthCode; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

/**
 * How long an access token works; a running request with the previous token continues until that one expires.
 */
const accessSeconds = 3_600;

/** A client that does not return within this time has to ask for consent again. */
const refreshMs = 30 * 86_400_000;

type KeyRow = typeof apiKeys.$inferSelect;

/**
 * The next pair of tokens; only their hashes are stored. Call it in the transaction that has locked the
 * connection.
 */
export async function issueTokens(queries: Queries, key: KeyRow, previousRefresh: string | null) {
  const accessToken = newAccessToken();
  const refreshToken = newRefreshToken((previousRefresh && familyOf(previousRefresh)) || undefined);
  const now = clock.now();
  const endsAt = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const expiresAt = new Date(Math.min(now + accessSeconds * 1000, endsAt));
  await queries
    .update(apiKeys)
    .set({
      secretHash: credentialHash(accessToken),
      secretExpiresAt: expiresAt,
      // The first secret is the key's own, which was never issued to anybody.
      previousSecretHash: previousRefresh === null ? null : key.secretHash,
      previousExpiresAt: previousRefresh === null ? null : key.secretExpiresAt,
    })
    .where(eq(apiKeys.id, key.id));
  await queries
    .update(connections)
    .set({
      refreshFamilyHash: credentialHash(familyOf(refreshToken) ?? ""),
      refreshHash: credentialHash(refreshToken),
      refreshExpiresAt: new Date(Math.min(now + refreshMs, endsAt)),
      ...(previousRefresh === null && { codeUsedAt: new Date(now) }),
    })
    .where(eq(connections.keyId, key.id));
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: Math.max(1, Math.floor((expiresAt.getTime() - now) / 1000)),
    refresh_token: refreshToken,
    scope: key.scopes.join(" "),
  };
}

export type IssuedTokens = Awaited<ReturnType<typeof issueTokens>>;
