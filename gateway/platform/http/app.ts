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

declare module "fastify" {
  interface FastifyContextConfig {
    /** Monitoring asks every few seconds: only a failure is logged. */
    healthCheck?: boolean;
    errors?: "anthropic";
    /** Answers without credentials; a credential that is present must still be valid. */
    public?: boolean;
    /** Callers without a credential count against a rate of their address. */
    limitedByAddress?: boolean;
    /** The permission that the caller needs; without it any credential of an account is accepted. */
    permission?: Permission;
    /** The path parameter with a user's id: about themselves nobody needs the permission. */
    orOneself?: string;
    /** Only for signed-in people, never for account keys. */
    person?: boolean;
    /** Takes an operator of this installation, signed in or with a key of the scope `operator`. */
    operator?: boolean;
    /** About the caller alone: somebody with several accounts need not name one, as on public routes. */
    anyAccount?: boolean;
    /** Not in the specification: 404 with GATEWAY_EXTENSIONS=off. */
    extension?: boolean;
    /** An extension that stays with GATEWAY_EXTENSIONS=off: gated models need people who sign in and attest. */
    neededToAttest?: boolean;
    /** Checks its own kind of credential instead of an account's. */
    ownCredential?: boolean;
    /** Takes access tokens that are bound to it, which nothing else takes. */
    takesBound?: "mcp";
    /** Stays open: counts against the event streams that a key or session may have. */
    stream?: boolean;
    /** Counts against the request-rate and concurrency limits of operations. */
    operation?: boolean;
    /** No operation, but as much work as one: counts against the same limits. */
    asMuchAsOperation?: boolean;
    /** The handler honours `Idempotency-Key`; the OpenAPI document says so. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    /** Set for every authenticated request; read it through `actorOf`. */
    actor: Actor | null;
    /** The actor with its address, for verbs that are audited. Throws `missing_api_key` without a credential. */
    readonly caller: Caller;
  }
}
