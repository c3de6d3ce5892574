import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Permission } from "#contract/accounts/permissions.ts";
import { accountHeader } from "#contract/client-address.ts";
import { changeHeader } from "#contract/operator/constants.ts";
import { keepContentsHeader } from "#contract/usage.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import type { App } from "./app.ts";
import { accountSuspended, assertPermitted } from "./not-permitted.ts";

const noKey = "Send your account key as `Authorization: Bearer <key>`.";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * Calls `ended` once when the actor's credential no longer has the permission. Call the returned function
     * to stop watching.
     */
    watchCredential(actor: Actor, permission: Permission, ended: () => void): () => void;
  }
}

/** What authentication asks of the districts above this one. */
interface Asked {
  credentials: {
    find(bearer: string, address: string, accountId?: string | null): Actor | Promise<Actor>;
    watch: FastifyInstance["watchCredential"];
  };
  configuration: { refresh(): Promise<void> };
  database: Database;
}

/** Checks the bearer of every request and the route's permission, before the body is read. */
export function installAuthentication(app: App, { configuration, credentials, database }: Asked): void {
  app.decorate("watchCredential", credentials.watch);
  app.decorateRequest("actor", null);
  app.decorateRequest("nameChange", null);
  app.decorateRequest("caller", {
    getter(this: FastifyRequest) {
      const { actor, clientAddress: ip, id: requestId, nameChange, inner } = this;
      if (!actor) throw new ApiError("missing_api_key", noKey);
      const declinesContents = this.headers[keepContentsHeader] === "false";
      return {
        actor,
        ip,
        requestId,
        declinesContents,
        nameChange,
        isPartOfExport: inner?.actor !== undefined,
      };
    },
  });
  /** Checks the route's permission. */
  const permit = (request: FastifyRequest, actor: Actor): Promise<void> | undefined => {
    const { permission, orOneself } = request.route.config;
    if (permission === undefined || actor.permissions.has(permission)) return;
    if (orOneself && actor.kind === "user" && isOneself(request, orOneself, actor)) return;
    return assertPermitted(database.queries, actor, permission);
  };
  /** Makes the actor the request's caller, if its route takes them. */
  const admit = (request: FastifyRequest, reply: FastifyReply, actor: Actor): Promise<void> | undefined => {
    const { config } = request.route;
    if (actor.boundTo && config.takesBound !== actor.boundTo && !request.inner)
      throw new ApiError(
        "invalid_api_key",
        "This access token works only for /mcp. Use an account key for the API.",
      );
    request.actor = actor;
    // A person may still see and end their sessions, and open another of their accounts.
    if (typeof actor.suspendedFor === "string" && !(config.anyAccount && actor.sessionId !== null))
      throw accountSuspended(actor.suspendedFor);
    if (config.person && actor.kind !== "user")
      throw new ApiError(
        "user_session_required",
        "Only a signed-in person can do this, never an account key.",
      );
    if (actor.secondFactorMissing && !config.anyAccount && !config.public)
      throw new ApiError(
        "second_factor_required",
        "This account requires a second factor. Set one up in your profile, then continue.",
      );
    if (config.operator) {
      if (!actor.isOperator)
        throw new ApiError(
          "operator_required",
          "Only an operator, who runs this installation, can do this: signed in, or with a key of the scope `operator`.",
        );
      request.nameChange = (id) => void reply.header(changeHeader, id);
      // Operators must see the latest configuration, and another process may have changed it.
      return configuration.refresh().then(() => permit(request, actor));
    }
    return permit(request, actor);
  };
  app.addHook("onRequest", (request, reply, done) => {
    const { config } = request.route;
    if (!config.url || config.ownCredential) return done();
    const bearer = bearerOf(request);
    const trusted = request.inner?.actor;
    if (bearer === null && !trusted) {
      if (config.public) return done();
      throw new ApiError("missing_api_key", noKey);
    }
    // Authenticated answers are private; routes whose answers may be cached override this.
    reply.header("cache-control", "no-store");
    const named = accountNamed(request);
    const account = named ?? (config.anyAccount || config.public ? null : undefined);
    const found = trusted ?? credentials.find(bearer ?? "", request.clientAddress, account);
    const waits =
      found instanceof Promise
        ? found.then((actor) => admit(request, reply, actor))
        : admit(request, reply, found);
    if (!waits) done();
    return waits;
  });
}

/** The credential as a bearer, or in the header of Anthropic's clients. */
function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const bare = request.headers["x-api-key"];
  if (header === undefined) return typeof bare === "string" ? bare.trim() : null;
  const [scheme = "", credential = "", ...rest] = header.trim().split(/\s+/);
  // Another scheme or an empty bearer is an invalid credential rather than a missing one.
  if (scheme.toLowerCase() === "bearer" && credential === "")
    throw new ApiError(
      "invalid_api_key",
      "No key was sent after `Bearer`. Is the variable with your account key set?",
    );
  if (scheme.toLowerCase() !== "bearer")
    throw new ApiError(
      "invalid_api_key",
      "The gateway cannot read this `Authorization` header. Send your account key as `Authorization: Bearer <key>`.",
    );
  return rest.length === 0 ? credential : "";
}

/** The account that the request names, for people with several. */
function accountNamed(request: FastifyRequest): string | undefined {
  const header = request.headers[accountHeader];
  return typeof header === "string" ? header.trim() : undefined;
}

function isOneself(request: FastifyRequest, param: string, actor: Actor): boolean {
  return (request.params as Record<string, string>)[param] === actor.id;
}
