import type { FastifyRequest } from "fastify";
import { type Permission, scopeOf } from "#contract/permissions.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { App } from "./app.ts";

/** Finds the actor of a bearer sent from an address. Throws the matching 401, or a 429. */
export type FindActor = (bearer: string, address: string) => Promise<Actor>;

/** Reads the bearer of every request, before its body is read, and checks the permission that the route requires. */
export function installAuthentication(app: App, findActor: FindActor): void {
  app.decorateRequest("actor", null);
  app.addHook("onRequest", async (request) => {
    const { config } = request.routeOptions;
    if (!config.url || config.ownCredential) return;
    const bearer = bearerOf(request);
    if (bearer === null) {
      if (config.public) return;
      throw new ApiError("missing_api_key", "Send your account key as `Authorization: Bearer <key>`.");
    }
    const actor = await findActor(bearer, request.clientAddress);
    request.actor = actor;
    if (config.permission && !actor.permissions.has(config.permission)) throw notPermitted(config.permission);
  });
}

/** The 403 of a caller that may not do this. */
export function notPermitted(permission: Permission): ApiError {
  const scope = scopeOf(permission);
  if (scope)
    return new ApiError(
      "insufficient_scope",
      `This key lacks the scope \`${scope}\`. Use a key that has it.`,
    );
  return new ApiError(
    "user_session_required",
    "Only a signed-in user of the account can do this, never an account key.",
  );
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
  // Another scheme or an empty bearer is an invalid credential, not a missing one.
  return match?.[1] ?? "";
}
