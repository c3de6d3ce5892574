import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { AuditAction } from "#contract/audit.ts";
import type { ConnectionEnd } from "#contract/connection-constants.ts";
import { type Connection, type ConnectionUpdate, connectionRoutes } from "#contract/connections.ts";
import { tokenExchange } from "#contract/key-rule-constants.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import { audited, recordAudit } from "#gateway/access/accounts/audit.ts";
import { credentialHash, familyOf, isAccessToken, isShortKey } from "#gateway/access/accounts/keys/format.ts";
import { lockKeys } from "#gateway/access/accounts/keys/made-keys.ts";
import { lockKey } from "#gateway/access/accounts/keys/owner.ts";
import { readLists } from "#gateway/access/accounts/networks/networks.ts";
import { assertNotSuspended } from "#gateway/access/accounts/suspension.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { checkedBudgets, checkedTaskBudget } from "#gateway/billing/budgets/check.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, getTableColumns, or, type SQL } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, apiKeys, connections, members } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { errorHeaders, toApiError } from "#gateway/platform/http/errors.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createClientDocuments, registerClient } from "./clients.ts";
import { assertEnd, consent } from "./consent.ts";
import { exchangeToken, type Form, revokeShortKey, type Sender } from "./exchange.ts";
import { listConnections, readConnection } from "./list.ts";
import {
  type IssuedTokens,
  issueTokens,
  OAuthError,
  paths,
  resourceMetadata,
  resourceOf,
  serverMetadata,
} from "./oauth.ts";
import { readRequest } from "./read-request.ts";
import { createIssuers } from "./workload-token.ts";

/** The console's routes for a signed-in person. */
export function installConnections(app: App, context: AccessContext): void {
  const documents = createClientDocuments(context.config);
  serve(app, context, connectionRoutes, {
    "POST /authorization/requests": ({ caller, body }) => readRequest(context, documents, caller.actor, body),
    "POST /authorization/consents": (request) => consent(context, documents, request.caller, request.body),
    "GET /connections": ({ caller, query }) => listConnections(context, caller.actor, query),
    "GET /connections/{id}": ({ caller, params }) => readConnection(context, caller.actor, params.id),
    "PATCH /connections/{id}": (request) =>
      updateConnection(context, request.caller, request.params.id, request.body),
    "DELETE /connections/{id}": (request) => revokeConnection(context, request.caller, request.params.id),
  });
}

/**
 * Where clients look for metadata: without the path of the tools, or with the path before or after
 * `.well-known`.
 */
const resourcePaths = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"];
const serverPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration",
];

/**
 * The authorization server's routes for clients (OAuth 2.1), outside `/v1`. Errors have the standard's
 * format.
 *
 * The server is our own. With `oidc-provider` three parallel uses of one refresh token all got tokens, because its adapters find,
 * consume and save in separate calls; here each use is one transaction under the connection's lock. Our tokens are also
 * secrets of personal keys, which the credential cache ends in every process.
 */
export async function installAuthorization(app: App, context: AccessContext): Promise<void> {
  const access = { ownCredential: true, extension: true, limitedByAddress: true } as const;
  for (const url of resourcePaths)
    app.get(url, { config: access }, (_request, reply) =>
      sendMetadata(reply, resourceMetadata(context.config)),
    );
  for (const url of serverPaths)
    app.get(url, { config: access }, (_request, reply) =>
      sendMetadata(reply, serverMetadata(context.config)),
    );
  await app.register(async (scope) => {
    const own = scope as App;
    readForms(own);
    own.setErrorHandler(sendOAuthError);
    const schema = { body: Type.Unknown() };
    const options = { config: access, schema, bodyLimit: maxFormBytes };
    const issuers = createIssuers(context);
    own.post(paths.token, options, async (request, reply) => {
      const form = formOf(request.body);
      const grant = form.get("grant_type");
      reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
      if (grant === "authorization_code") return exchangeCode(context, form, senderOf(request));
      if (grant === "refresh_token") return refreshTokens(context, form, senderOf(request));
      if (grant === tokenExchange.grant) return exchangeToken(context, issuers, form, senderOf(request));
      throw new OAuthError(
        "unsupported_grant_type",
        `grant_type must be authorization_code, refresh_token or ${tokenExchange.grant}.`,
      );
    });
    own.post(paths.register, options, async (request, reply) => {
      const client = await registerClient(context, request.body, request.clientAddress);
      return reply.code(201).header("cache-control", "no-store").send(client);
    });
    own.post(paths.revoke, options, async (request, reply) => {
      await revokeToken(context, formOf(request.body), senderOf(request));
      return reply.code(200).send();
    });
  });
}

function sendMetadata(reply: FastifyReply, document: object): FastifyReply {
  return reply.header("cache-control", "public, max-age=60").send(document);
}

function senderOf({ clientAddress, id }: FastifyRequest): Sender {
  return { ip: clientAddress, requestId: id };
}

function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("cache-control", "no-store");
  if (error instanceof OAuthError) return reply.code(error.status).send(error.body);
  const known = toApiError(error);
  request.failure = known;
  if (known.status >= 500) request.log.error({ err: error }, "request failed");
  const code =
    known.status === 403
      ? "access_denied"
      : known.status < 429
        ? "invalid_request"
        : known.status === 500
          ? "server_error"
          : "temporarily_unavailable";
  const body = { error: code, error_description: known.message };
  return reply.code(known.status).headers(errorHeaders(known)).send(body);
}

/**
 * Changes the budgets or the end of a connection, effective within a second in every process. Throws
 * `connection_not_found`, and as `assertEnd` and `checkedBudgets`.
 */
async function updateConnection(
  context: AccessContext,
  caller: Caller,
  id: string,
  input: ConnectionUpdate,
): Promise<Connection> {
  const { monthly_budget: monthlyBudget, budgets, task_budget: taskBudget, expires_at: end } = input;
  if (end !== undefined) assertEnd(end);
  await context.meter.flush();
  await change(context, caller, id, "connection.updated", input, {
    ...(monthlyBudget !== undefined && { monthlyBudget }),
    ...(budgets !== undefined && { budgets: checkedBudgets(budgets, context.config.currency) }),
    ...(taskBudget !== undefined && {
      taskBudget: checkedTaskBudget(taskBudget, context.config.currency),
    }),
    ...(end !== undefined && { expiresAt: new Date(end) }),
  });
  return readConnection(context, caller.actor, id);
}

/**
 * Ends a connection: this process refuses its tokens at once, others within a second. Throws
 * `connection_not_found`.
 */
async function revokeConnection(context: AccessContext, caller: Caller, id: string): Promise<Deleted> {
  await change(context, caller, id, "connection.revoked", {}, { revokedAt: clock.date() });
  return deleted("connection", id);
}

async function change(
  context: AccessContext,
  caller: Caller,
  id: string,
  action: AuditAction,
  detail: object,
  set: Partial<typeof apiKeys.$inferInsert>,
): Promise<void> {
  await audited(context, caller, action, async (queries) => {
    await lockKeys(queries, caller.actor.accountId);
    const { name } = await lockKey(queries, caller.actor, id, "mcp");
    await queries.update(apiKeys).set(set).where(eq(apiKeys.id, id));
    return { target: id, detail: { name, ...detail }, result: null };
  });
  context.credentials.forget(id);
}

const maxFormBytes = 16_384;

/**
 * Reads forms by the standard's rules: a repeated parameter is an error, and an empty one is ignored (RFC
 * 6749, 3.2).
 */
function readForms(app: App): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: maxFormBytes },
    (_request, text, done) => {
      const form = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(text)) {
        if (form.has(name))
          return done(
            new OAuthError("invalid_request", "A parameter was sent twice. Send each parameter once."),
          );
        if (value !== "") form.set(name, value);
      }
      return done(null, form);
    },
  );
}

/** The form in a request's body. Throws `invalid_request` for another body. */
function formOf(body: unknown): Form {
  if (body instanceof Map) return body as Form;
  throw new OAuthError("invalid_request", "Send a form: application/x-www-form-urlencoded.");
}

/**
 * Exchanges the code for the first tokens of its connection. A code that is used twice ends the connection,
 * because somebody else may have used it first. Throws the standard's errors.
 */
async function exchangeCode(context: AccessContext, form: Form, sender: Sender): Promise<IssuedTokens> {
  const code = form.get("code");
  if (!code) throw new OAuthError("invalid_request", "`code` is missing: send the code from the redirect.");
  assertResource(context, form);
  const outcome = await context.database.transaction(async (queries) => {
    const found = await lockConnection(queries, eq(connections.codeHash, credentialHash(code)));
    if (!found || found.connection.clientId !== form.get("client_id"))
      return { refusal: "This client has no such code." };
    if (found.connection.codeUsedAt !== null) {
      if (found.key.revokedAt === null) await endConnection(queries, found, "code_reused", sender);
      return { refusal: "The code was used before, so its connection was ended.", ended: found.key.id };
    }
    const refusal = faultOf(found, form);
    if (refusal) return { refusal };
    await assertUsable(context, queries, found.key, sender);
    return { tokens: await issueTokens(queries, found.key, null), keyId: found.key.id };
  });
  return tokensOf(context, outcome);
}

type Outcome = { tokens: IssuedTokens; keyId: string } | { refusal: string; ended?: string };

/** The tokens of a saved result. Throws if the result is a refusal. */
function tokensOf({ credentials }: AccessContext, outcome: Outcome): IssuedTokens {
  if ("tokens" in outcome) {
    credentials.forget(outcome.keyId);
    return outcome.tokens;
  }
  if (outcome.ended !== undefined) credentials.forget(outcome.ended);
  throw invalidGrant(outcome.refusal);
}

/** A token is valid only for this gateway's tools. Throws `invalid_target`. */
function assertResource({ config }: AccessContext, form: Form): void {
  const resource = form.get("resource");
  if (resource === undefined || resource === resourceOf(config)) return;
  throw new OAuthError("invalid_target", `resource must be ${resourceOf(config)}.`);
}

function faultOf({ connection, isLive }: Found, form: Form): string | null {
  if (!isLive) return "The connection has ended.";
  if (connection.codeExpiresAt <= clock.date()) return "The code has expired.";
  if (form.get("redirect_uri") !== connection.redirectUri)
    return "redirect_uri is not the one that the code was sent to.";
  return isVerifierOf(form.get("code_verifier"), connection.codeChallenge)
    ? null
    : "code_verifier does not belong to the code_challenge.";
}

function isVerifierOf(verifier: string | undefined, challenge: string): boolean {
  if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return timingSafeEqual(Buffer.from(hash("sha256", verifier, "base64url")), Buffer.from(challenge));
}

/**
 * Exchanges the last refresh token, once, for the next tokens. A refresh token that was already used ends the
 * connection: two parties have tokens, and one of them stole its token. Throws the standard's errors.
 */
async function refreshTokens(context: AccessContext, form: Form, sender: Sender): Promise<IssuedTokens> {
  const token = form.get("refresh_token");
  if (!token)
    throw new OAuthError("invalid_request", "refresh_token is missing: send the last one that you got.");
  assertResource(context, form);
  const family = familyOf(token);
  if (family === null) throw invalidGrant("This is not a refresh token of this gateway.");
  const outcome = await context.database.transaction(async (queries) => {
    const found = await lockConnection(queries, eq(connections.refreshFamilyHash, credentialHash(family)));
    if (!found || found.connection.clientId !== form.get("client_id"))
      return { refusal: "This client has no such refresh token." };
    if (!found.isLive) return { refusal: "The connection has ended." };
    const { key, connection } = found;
    if (connection.refreshHash !== credentialHash(token)) {
      await endConnection(queries, found, "refresh_token_reused", sender);
      return { refusal: "The refresh token was used before, so its connection was ended.", ended: key.id };
    }
    if (connection.refreshExpiresAt && connection.refreshExpiresAt <= clock.date())
      return { refusal: "The refresh token has expired." };
    await assertUsable(context, queries, key, sender);
    assertScopes(form.get("scope"), key.scopes);
    return { tokens: await issueTokens(queries, key, token), keyId: key.id };
  });
  return tokensOf(context, outcome);
}

/** Throws `account_suspended`, and `network_not_allowed` if the key may not be used from the sender's address. */
async function assertUsable(
  { networks }: AccessContext,
  queries: Queries,
  key: Found["key"],
  { ip }: Sender,
): Promise<void> {
  await assertNotSuspended(queries, key.accountId);
  const { keys } = await readLists(queries, key.accountId);
  const caller = { ...key, kind: "key", accountNetworks: keys, sessionId: null } as const;
  if (!networks.admits(caller, ip)) throw networks.refuse(caller, ip);
}

/** Throws if a refresh asks for more scopes than the person granted. */
function assertScopes(asked: string | undefined, granted: readonly string[]): void {
  const beyond = asked
    ?.split(" ")
    .filter((scope) => scope !== "" && scope !== "offline_access" && !granted.includes(scope));
  if (beyond && beyond.length > 0)
    throw new OAuthError(
      "invalid_scope",
      "The person did not grant all of these scopes. Leave scope out, or name only granted ones.",
    );
}

/**
 * Ends the connection of an access or refresh token, or a short key, at its client's request (RFC 7009). An invalid
 * token is not an error.
 */
async function revokeToken(context: AccessContext, form: Form, sender: Sender): Promise<void> {
  const token = form.get("token");
  if (!token)
    throw new OAuthError(
      "invalid_request",
      "`token` is missing: send the access or refresh token to revoke.",
    );
  if (isShortKey(token)) return revokeShortKey(context, token, sender);
  const family = familyOf(token);
  if (family === null && !isAccessToken(token)) return;
  const hash = credentialHash(family ?? token);
  const like =
    family === null
      ? or(eq(apiKeys.secretHash, hash), eq(apiKeys.previousSecretHash, hash))
      : eq(connections.refreshFamilyHash, hash);
  const ended = await context.database.transaction(async (queries) => {
    const found = like && (await lockConnection(queries, like));
    if (!found || found.key.revokedAt !== null) return null;
    const client = form.get("client_id");
    if (client !== undefined && client !== found.connection.clientId) return null;
    await endConnection(queries, found, "client_revoked", sender);
    return found.key.id;
  });
  if (ended !== null) context.credentials.forget(ended);
}

/** Ends a connection and its tokens in every process, without a request from the console. */
async function endConnection(
  queries: Queries,
  { key, connection }: Found,
  because: ConnectionEnd,
  sender: Sender,
): Promise<void> {
  await queries.update(apiKeys).set({ revokedAt: clock.date() }).where(eq(apiKeys.id, key.id));
  await queries.update(connections).set({ endedBecause: because }).where(eq(connections.keyId, key.id));
  await recordAudit(queries, {
    accountId: key.accountId,
    actor: { kind: "key", id: key.id, name: key.name, userId: key.userId },
    action: "connection.ended",
    targetId: key.id,
    detail: { name: key.name, reason: because, client_id: connection.clientId },
    ...sender,
  });
}

interface Found {
  key: typeof apiKeys.$inferSelect;
  connection: typeof connections.$inferSelect;
  /** Whether the connection is active: it has not ended, and its member still exists. */
  isLive: boolean;
}

/** The matching connection, locked, so that two requests with the same token run one after the other. */
async function lockConnection(queries: Queries, like: SQL): Promise<Found | null> {
  const [found] = await queries
    .select({ key: getTableColumns(apiKeys), connection: getTableColumns(connections) })
    .from(connections)
    .innerJoin(apiKeys, eq(apiKeys.id, connections.keyId))
    .where(like)
    .for("update");
  if (!found) return null;
  const { key, connection } = found;
  const [member] = await queries
    .select({ userId: members.userId, closesAt: accountDeletions.dueAt })
    .from(members)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, members.accountId))
    .where(and(eq(members.accountId, key.accountId), eq(members.userId, key.userId ?? "")));
  const now = clock.date();
  const isLive =
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt > now) &&
    member !== undefined &&
    (member.closesAt === null || member.closesAt > now);
  return { key, connection, isLive };
}

/** The error for a useless code or refresh token, the same for every reason. */
function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
