import type { TSchema } from "typebox";
import type { Permission } from "../accounts/permissions.ts";
import type { ApiType } from "../catalog-constants.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Method and path after `/v1`, with parameters in braces: `POST /webhooks/deliveries/{id}/retry`. */
export type RouteName = `${Method} /${string}`;

/**
 * The one description of a route. The gateway registers and checks the route by it, the OpenAPI document and
 * the console's reference show it, and the console's clients derive their types from it.
 */
export interface Route {
  /** Its title in the API reference. */
  summary: string;
  /** The schema of the path's parameters, if one of them is not plain text. */
  params?: TSchema;
  /**
   * The path for the gateway's router, when a parameter may contain slashes: `/files/*` for `/files/{key}`.
   */
  matches?: `/${string}*`;
  query?: TSchema;
  body?: TSchema;
  /** The schemas of the JSON answers by status. The handler's value is sent with the first status. */
  answers?: Record<number, TSchema>;
  /** A second shape of the body, of another API whose clients also call this route. */
  foreignBody?: TSchema;
  /** The first answer's schema in the shape of that API. */
  foreignAnswer?: TSchema;
  /**
   * The first answer's schema when it is replayed for an `Idempotency-Key`: its properties alone are stored, so
   * that a replay has no secret.
   */
  replayed?: TSchema;
  /** Answers by status that are not JSON or have no body, in the form of the OpenAPI document. */
  otherAnswers?: Record<number, Record<string, unknown>>;

  /** The permission that the caller needs. Without it, any account credential is accepted. */
  permission?: Permission;
  /** The path parameter with a user's id. A caller needs no permission for their own id. */
  orOneself?: string;
  /** Works without credentials. A credential that is sent must still be valid. */
  public?: true;
  /** Only for signed-in people, not for account keys. */
  person?: true;
  /** Only for an operator of this installation, signed in or with a key of scope `operator`. */
  operator?: true;
  /** Concerns only the caller, so a person with several accounts need not name an account. */
  anyAccount?: true;
  /** Checks another kind of credential than an account's. */
  ownCredential?: true;
  /** Not in the specification: answers 404 with GATEWAY_EXTENSIONS=off. */
  extension?: true;
  /**
   * An extension that stays available with GATEWAY_EXTENSIONS=off, because gated models need people who sign
   * in and attest.
   */
  neededToAttest?: true;
  /** Requests without a credential count against the rate of their IP address. */
  limitedByAddress?: true;
  /** Counts against the rate and concurrency limits of operations: of one kind, or of any. */
  operation?: ApiType | "any";
  /** Not an operation, but just as costly, so it counts against the same limits. */
  asMuchAsOperation?: true;
  /** Stays open as server-sent events. Each key or session may have only a few. */
  stream?: true;
  /** Honours `Idempotency-Key`, as every POST that creates something; `idempotent-routes.test.ts` has the exceptions. */
  idempotent?: true;
  /**
   * The `Location` header: the address of the created resource, with the gateway's public `{url}` and the
   * `{id}` of the answer.
   */
  location?: `${"" | "{url}"}/v1/${string}/{id}`;
  /** The API whose clients call this route. Errors have that API's shape. */
  errors?: "anthropic";
  /**
   * The console's pages may call this route through the console's relay. Only the console's server calls all
   * other routes.
   */
  fromBrowser?: true;
  /**
   * The console's pages may call this route with the server action `act`. A route that sets a cookie or
   * answers with a secret is never marked.
   */
  byClick?: true;
}

export type Routes = Record<RouteName, Route>;

/** Answers without a body, or with a body that is not JSON, in the form of the OpenAPI document. */
type Answer = Record<string, unknown>;

export const noBody = (description: string): Answer => ({ type: "null", description });

export const bytesOf = (contentType: string, description: string): Answer => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } },
});

export const eventStream = (description: string): Answer => bytesOf("text/event-stream", description);
