import type { TSchema } from "typebox";
import type { Permission } from "../accounts/permissions.ts";
import type { ApiType } from "../catalog.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** `POST /webhooks/deliveries/{id}/retry`: the path after `/v1`, its parameters in braces. */
export type RouteName = `${Method} /${string}`;

/**
 * The one description of a route: the gateway registers and checks it, the OpenAPI document and the console's
 * reference show it, and the console's clients take its types.
 */
export interface Route {
  /** Its title in the API reference. */
  summary: string;
  /** The schema of the path's parameters, if they are not plain text. */
  params?: TSchema;
  /**
   * The path as the gateway matches it, where a parameter may have slashes: `/files/*` for `/files/{key}`.
   */
  matches?: `/${string}*`;
  query?: TSchema;
  body?: TSchema;
  /** The schemas of the JSON answers by status. The handler's value is sent with the first. */
  answers?: Record<number, TSchema>;
  /** The body in the shape of another API, whose clients call this route as well. */
  foreignBody?: TSchema;
  /** The first answer in the shape of that API. */
  foreignAnswer?: TSchema;
  /** The first answer when it is replayed for an `Idempotency-Key`: without the secret. */
  replayed?: TSchema;
  /** Answers that are not JSON, or have no body, as OpenAPI writes them, by status. */
  otherAnswers?: Record<number, Record<string, unknown>>;

  /** The permission that the caller needs; without it any account credential is accepted. */
  permission?: Permission;
  /** The path parameter with a user's id: no permission is needed to ask about oneself. */
  orOneself?: string;
  /** Works without credentials; a credential that is sent must still be valid. */
  public?: true;
  /** Only for signed-in people, not for account keys. */
  person?: true;
  /** Only for an operator of this installation, signed in or with a key of scope `operator`. */
  operator?: true;
  /** Concerns only the caller, so a person with several accounts need not name one. */
  anyAccount?: true;
  /** Checks its own kind of credential instead of an account's. */
  ownCredential?: true;
  /** Not in the specification: 404 with GATEWAY_EXTENSIONS=off. */
  extension?: true;
  /**
   * An extension that stays available with GATEWAY_EXTENSIONS=off: gated models need people who sign in and
   * attest.
   */
  neededToAttest?: true;
  /** Requests without a credential count against the rate of their IP address. */
  limitedByAddress?: true;
  /** Counts against the rate and concurrency of operations; of a kind, or of any. */
  operation?: ApiType | "any";
  /** Not an operation, but as costly: counts against the same limits. */
  asMuchAsOperation?: true;
  /** Stays open as server-sent events; the number per key or session is limited. */
  stream?: true;
  /** Honours `Idempotency-Key`. */
  idempotent?: true;
  /**
   * `Location`: the address of the created resource, with the gateway's public `{url}` and the `{id}` of the
   * answer.
   */
  location?: `${"" | "{url}"}/v1/${string}/{id}`;
  /** The API whose clients call this route: errors have its shape. */
  errors?: "anthropic";
  /** Pages of the console may call it through the console's relay; all other routes only its server calls. */
  fromBrowser?: true;
  /**
   * Pages of the console may call it with the server action `act`. Never marked: what sets a cookie, and what
   * answers with a secret.
   */
  byClick?: true;
}

export type Routes = Record<RouteName, Route>;
