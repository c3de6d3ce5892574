import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";

/** The gateway's Fastify instance: TypeBox schemas type the handlers. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Reads the route of each request once. Call it before adding hooks. */
export function installRoute(app: App): void {
  app.decorateRequest("route");
  app.addHook("onRequest", (request, _reply, done) => {
    request.route = request.routeOptions;
    done();
  });
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Called by monitoring every few seconds, so only failures are logged. */
    healthCheck?: boolean;
    errors?: "anthropic";
    /** Works without credentials; a credential that is sent must still be valid. */
    public?: boolean;
    /** Requests without a credential count against the rate of their IP address. */
    limitedByAddress?: boolean;
    /** The permission that the caller needs; without it any account credential is accepted. */
    permission?: Permission;
    /**
     * A route about any user: the permission needed to ask about other users. Asking about oneself needs
     * none.
     */
    orOneself?: string;
    /** Only for signed-in people, not for account keys. */
    person?: boolean;
    /** Only for an operator of this installation, signed in or with a key of scope `operator`. */
    operator?: boolean;
    /**
     * The route concerns only the caller, so a person with several accounts need not name one. Public routes
     * do not need one either.
     */
    anyAccount?: boolean;
    /** Not in the specification: 404 with GATEWAY_EXTENSIONS=off. */
    extension?: boolean;
    /**
     * An extension that stays available with GATEWAY_EXTENSIONS=off: gated models need people who sign in and
     * attest.
     */
    neededToAttest?: boolean;
    /** The route checks its own kind of credential instead of an account's. */
    ownCredential?: boolean;
    /** The route accepts access tokens that are bound to this interface. Other routes refuse them. */
    takesBound?: "mcp";
    /** The answer stays open, so it counts towards the limit of event streams per key or session. */
    stream?: boolean;
    /** The request counts against the rate and concurrency limits of operations. */
    operation?: boolean;
    /** The request is not an operation, but costs as much, so the limits of operations apply. */
    asMuchAsOperation?: boolean;
    /** The only fields of a body that its schema accepts; undefined: any. */
    bodyFields?: object;
    /** The handler supports `Idempotency-Key`; the OpenAPI document says so. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    /** Its `routeOptions`, which Fastify makes anew at each look. */
    route: FastifyRequest["routeOptions"];
    /** Set for every authenticated request; handlers read it through `caller`. */
    actor: Actor | null;
    /** The actor with its IP address, for audited verbs. Throws `missing_api_key` without a credential. */
    readonly caller: Caller;
    /** Names a change of the configuration in the answer. Null: the route is not for operators. */
    nameChange: Caller["nameChange"];
  }
}
