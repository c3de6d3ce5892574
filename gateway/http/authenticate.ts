import type { FastifyRequest } from "fastify";
import { createCredentialLookup } from "#gateway/accounts/credentials.ts";
import { credentialKind } from "#gateway/accounts/keys/format.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "./actor.ts";
import { ApiError } from "./api-error.ts";
import type { App } from "./app.ts";

/** Reads the bearer of every request, before its body is read, and checks what the route asks of the caller. */
export function installAuthentication(app: App, context: Context): void {
  const lookup = createCredentialLookup(context);
  app.decorateRequest("actor", null);
  app.addHook("onRequest", async (request) => {
    const { config } = request.routeOptions;
    if (!config.url || config.ownCredential) return;
    const bearer = bearerOf(request);
    if (bearer === null) {
      if (config.public) return;
      throw new ApiError("missing_api_key", "Send your account key as `Authorization: Bearer <key>`.");
    }
    const kind = credentialKind(bearer);
    if (!kind)
      throw new ApiError(
        "invalid_api_key",
        "This account key is not one of ours. Check that it was copied whole.",
      );
    const actor = await lookup(bearer, kind);
    request.actor = actor;
    if (config.session && actor.kind !== "user")
      throw new ApiError(
        "user_session_required",
        "Only a signed-in user of the account can do this, never an account key.",
      );
    if (config.scope && !actor.scopes.includes(config.scope))
      throw new ApiError("insufficient_scope", `This key lacks the scope \`${config.scope}\`.`);
  });
}

/** The caller of an authenticated route. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor)
    throw new ApiError("missing_api_key", "Send your account key as `Authorization: Bearer <key>`.");
  return request.actor;
}

function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const match = /^Bearer\s+(\S+)$/i.exec(header.trim());
  // Another scheme or an empty bearer is a credential that is not ours, not the absence of one.
  return match?.[1] ?? "";
}
