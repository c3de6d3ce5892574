import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { Scope } from "#contract/account.ts";
import type { Actor } from "./actor.ts";

/** The Fastify instance of the house: TypeBox schemas type the handlers. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Answers without credentials; a credential that is present must still be valid. */
    public?: boolean;
    /** The scope that an account key needs; a signed-in user has all of them. */
    scope?: Scope;
    /** Only a signed-in user may call it, never an account key. */
    session?: boolean;
    /** Not in the specification: gone (404) with GATEWAY_EXTENSIONS=off. */
    extension?: boolean;
    /** Checks a credential of its own kind, not an account's. */
    ownCredential?: boolean;
    /** Counts against the request-rate and concurrency limits of operations. */
    operation?: boolean;
    /** The handler honours `Idempotency-Key`. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    /** Set for every authenticated request; read it through `actorOf`. */
    actor: Actor | null;
  }
}
