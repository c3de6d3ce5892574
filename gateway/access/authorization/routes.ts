import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { connectionRoutes } from "#contract/routes/connections.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { errorHeaders, toApiError } from "#gateway/platform/http/errors.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { paths, resourceMetadata, serverMetadata } from "./addresses.ts";
import { revokeConnection, updateConnection } from "./change.ts";
import { createClientDocuments } from "./client-documents.ts";
import { consent } from "./consent.ts";
import type { Sender } from "./end.ts";
import { exchangeCode } from "./exchange-code.ts";
import { formOf, maxFormBytes, readForms } from "./form.ts";
import { listConnections, readConnection } from "./list.ts";
import { OAuthError } from "./oauth-error.ts";
import { readRequest } from "./read-request.ts";
import { refreshTokens } from "./refresh.ts";
import { registerClient } from "./register.ts";
import { revokeToken } from "./revoke-token.ts";

/** What the console asks for a signed-in person. */
export function installConnections(app: App, context: Context): void {
  const documents = createClientDocuments(context.config);
  serve(app, connectionRoutes, {
    "POST /authorization/requests": (request) =>
      readRequest(context, documents, actorOf(request), request.body),
    "POST /authorization/consents": (request) =>
      consent(context, documents, callerOf(request, actorOf(request)), request.body),
    "GET /connections": (request) => listConnections(context, actorOf(request), request.query),
    "GET /connections/{id}": (request) => readConnection(context, actorOf(request), request.params.id),
    "PATCH /connections/{id}": (request) =>
      updateConnection(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /connections/{id}": (request) =>
      revokeConnection(context, callerOf(request, actorOf(request)), request.params.id),
  });
}

/** Where clients look for metadata: with the path of the tools, which some put first and some last, and without. */
const resourcePaths = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"];
const serverPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration",
];

/** What clients ask of the authorization server (OAuth 2.1), outside `/v1`. Errors have the standard's shape. */
export async function installAuthorization(app: App, context: Context): Promise<void> {
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
    own.post(paths.token, options, async (request, reply) => {
      const form = formOf(request.body);
      const grant = form.get("grant_type");
      reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
      if (grant === "authorization_code") return exchangeCode(context, form, senderOf(request));
      if (grant === "refresh_token") return refreshTokens(context, form, senderOf(request));
      throw new OAuthError(
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token.",
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
  request.errorCode = known.code;
  if (known.status >= 500) request.log.error({ err: error }, "request failed");
  const code =
    known.status < 429
      ? "invalid_request"
      : known.status === 500
        ? "server_error"
        : "temporarily_unavailable";
  const body = { error: code, error_description: known.message };
  return reply.code(known.status).headers(errorHeaders(known, request.method)).send(body);
}
