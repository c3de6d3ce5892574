import { type ConnectionScope, connectionScopes } from "#contract/connection-constants.ts";
import type { AuthorizationAsked, AuthorizationRequest } from "#contract/connections.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, gt } from "#gateway/platform/database/drizzle.ts";
import { authorizationClients } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import {
  type Client,
  type ClientDocuments,
  invalidClient,
  isNamed,
  redirectFault,
  redirectTarget,
  withParameters,
} from "./clients.ts";
import { issuerOf, OAuthError, resourceOf } from "./oauth.ts";

/**
 * Reading is limited, because each request may make the gateway fetch a document from a stranger's server.
 */
const reads: Limit = { name: "authorization requests", count: 60, periodMs: 60_000 };

/** A valid request that a person can be asked to approve. */
interface CheckedRequest {
  client: Client;
  redirectUri: string;
  scopes: ConnectionScope[];
  codeChallenge: string;
}

/**
 * The question for a person, or the URL that their browser goes to at once. Throws `invalid_client`, or
 * `invalid_parameter` for a redirect_uri that does not belong to the client; browsers are never sent there.
 */
export async function readRequest(
  context: AccessContext,
  documents: ClientDocuments,
  actor: Actor,
  asked: AuthorizationAsked,
): Promise<AuthorizationRequest> {
  const { client, redirectUri } = await findAsker(context, documents, actor, asked);
  const { host, kind } = redirectTarget(redirectUri);
  const refusal = faultOf(context, asked);
  return {
    object: "authorization_request",
    client: { id: client.id, name: client.name, host: client.host, verified: client.host !== null },
    redirect_host: host,
    redirect_kind: kind,
    scopes: scopesOf(asked.scope),
    denied_url: answerAddress(context, redirectUri, asked, {
      error: "access_denied",
      error_description: "The person did not consent.",
    }),
    refused_url: refusal && answerAddress(context, redirectUri, asked, { ...refusal.body }),
  };
}

/** Checks the request again when the person consents. Throws if the request must be refused. */
export async function checkRequest(
  context: AccessContext,
  documents: ClientDocuments,
  actor: Actor,
  asked: AuthorizationAsked,
): Promise<CheckedRequest> {
  const asker = await findAsker(context, documents, actor, asked);
  const refusal = faultOf(context, asked);
  if (refusal) throw invalidParameter("request", refusal.message);
  return { ...asker, scopes: scopesOf(asked.scope), codeChallenge: asked.code_challenge ?? "" };
}

/** The client's URL with its state and the issuer (RFC 9207). */
export function answerAddress(
  { config }: AccessContext,
  redirectUri: string,
  { state }: AuthorizationAsked,
  answer: Record<string, string>,
): string {
  return withParameters(redirectUri, { ...answer, state, iss: issuerOf(config) });
}

async function findAsker(
  context: AccessContext,
  documents: ClientDocuments,
  { id: person }: Actor,
  { client_id: id, redirect_uri: redirectUri = "" }: AuthorizationAsked,
): Promise<{ client: Client; redirectUri: string }> {
  const taken = await context.limiter.take(person, reads);
  if (!taken.allowed)
    throw tooManyRequests("Too many requests of clients were opened. Wait a minute.", taken);
  const client = await findClient(context, documents, id);
  const fault = redirectFault(redirectUri);
  if (fault) throw invalidParameter("redirect_uri", `The redirect address ${fault}.`);
  if (!isNamed(redirectUri, client.redirectUris))
    throw invalidParameter(
      "redirect_uri",
      "This client has not registered the redirect address, so your browser is not sent there.",
    );
  return { client, redirectUri };
}

/** The client's mistake, which is reported to the client's redirect URL; null if there is none. */
function faultOf({ config }: AccessContext, asked: AuthorizationAsked): OAuthError | null {
  if (asked.response_type !== "code")
    return new OAuthError("unsupported_response_type", "response_type must be code.");
  if (!asked.code_challenge)
    return new OAuthError("invalid_request", "PKCE is required: send a code_challenge.");
  if (asked.code_challenge_method !== "S256")
    return new OAuthError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[\w-]{43}$/.test(asked.code_challenge))
    return new OAuthError("invalid_request", "code_challenge must be a SHA-256 hash in base64url.");
  if (asked.resource !== undefined && asked.resource !== resourceOf(config))
    return new OAuthError("invalid_target", `resource must be ${resourceOf(config)}.`);
  if (scopesOf(asked.scope).length === 0)
    return new OAuthError("invalid_scope", `scope may contain only ${connectionScopes.join(", ")}.`);
  return null;
}

/**
 * The supported scopes among the requested ones; all if none is requested. Others, such as `offline_access`,
 * are ignored.
 */
function scopesOf(text: string | undefined): ConnectionScope[] {
  const asked = text?.split(" ").filter(Boolean) ?? [];
  if (asked.length === 0) return [...connectionScopes];
  return connectionScopes.filter((scope) => asked.includes(scope));
}

const idPattern = /^client_[0-9A-Za-z]{43}$/;

/**
 * Finds the client by its id: a URL is the address of the client's metadata document, which is fetched now;
 * any other id is that of a registered client. Throws `invalid_client`.
 */
async function findClient(
  context: AccessContext,
  documents: ClientDocuments,
  id: string | undefined,
): Promise<Client> {
  if (!id) throw invalidClient("The URL of this request has no client_id.");
  if (id.startsWith("https://")) return documents.read(id);
  const [row] = idPattern.test(id)
    ? await context.database.queries
        .select()
        .from(authorizationClients)
        .where(and(eq(authorizationClients.id, id), gt(authorizationClients.expiresAt, clock.date())))
    : [];
  if (!row)
    throw invalidClient(
      "This client is not known here, or its registration was not used in time. Start again in the client.",
    );
  return { id: row.id, name: row.name, host: null, redirectUris: row.redirectUris };
}
