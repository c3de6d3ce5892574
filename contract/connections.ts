import { type Static, Type } from "typebox";
import { MonthlyBudget, Quantities } from "./accounts/keys.ts";
import { Person } from "./accounts/people.ts";
import { connectionEnds, connectionScopes } from "./connection-constants.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { BudgetInputs, BudgetState, TaskBudget, TaskBudgetInput } from "./money/budgets.ts";
import type { Routes } from "./routes/route.ts";

const Scopes = Type.Array(Type.Enum(connectionScopes), {
  minItems: 1,
  maxItems: connectionScopes.length,
  uniqueItems: true,
});

/** The authorization request of a client, as in the URL of the consent page; other parameters are ignored. */
export const AuthorizationAsked = Type.Object(
  {
    client_id: Type.Optional(Type.String({ maxLength: 2_048 })),
    redirect_uri: Type.Optional(Type.String({ maxLength: 2_048 })),
    response_type: Type.Optional(Type.String({ maxLength: 100 })),
    code_challenge: Type.Optional(Type.String({ maxLength: 200 })),
    code_challenge_method: Type.Optional(Type.String({ maxLength: 20 })),
    scope: Type.Optional(Type.String({ maxLength: 1_000 })),
    state: Type.Optional(Type.String({ maxLength: 4_096 })),
    resource: Type.Optional(Type.String({ maxLength: 2_048 })),
  },
  closed,
);
export type AuthorizationAsked = Static<typeof AuthorizationAsked>;

export const ConnectionClient = Type.Object({
  id: Type.String({ description: "the address of its metadata document, or the id that it registered" }),
  name: Type.String({ description: "the name that the client gives itself" }),
  host: Nullable(
    Type.String({
      description: "address of the client's metadata document; null: the client registered itself",
    }),
  ),
  verified: Type.Boolean({
    description: "true when the address of the metadata document proves who the client is",
  }),
});
export type ConnectionClient = Static<typeof ConnectionClient>;

/**
 * The consent page's content: the client, the scopes it requests, and the limits that the person can choose.
 */
export const AuthorizationRequest = Type.Object({
  object: Type.Literal("authorization_request"),
  client: ConnectionClient,
  redirect_host: Type.String({ description: "where the browser goes after the decision: a host, or an app" }),
  redirect_kind: Type.Enum(["web", "this_device", "app"]),
  scopes: Type.Array(Type.Enum(connectionScopes)),
  denied_url: Type.String({ description: "where the browser goes when the person declines" }),
  refused_url: Nullable(
    Type.String({
      description:
        "address to which the browser is sent at once because the request cannot be granted. Its parameters give the client the reason",
    }),
  ),
});
export type AuthorizationRequest = Static<typeof AuthorizationRequest>;

export const ConsentCreate = Type.Object(
  {
    request: AuthorizationAsked,
    scopes: Scopes,
    models: Nullable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          "models that the client may run. Null: all models without an attestation; a model that needs one must be named",
      }),
    ),
    monthly_budget: Nullable(MonthlyBudget),
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
    expires_at: Timestamp,
  },
  closed,
);
export type ConsentCreate = Static<typeof ConsentCreate>;

export const Consent = Type.Object({
  object: Type.Literal("consent"),
  connection_id: Type.String(),
  redirect_url: Type.String({
    description: "where the browser goes, with a code for the client in the query",
  }),
});
export type Consent = Static<typeof Consent>;

export const Connection = Type.Object({
  id: Type.String(),
  object: Type.Literal("connection"),
  client: ConnectionClient,
  redirect_host: Type.String(),
  member: Nullable(Person),
  scopes: Type.Array(Type.Enum(connectionScopes)),
  models: Nullable(Type.Array(Type.String())),
  monthly_budget: Nullable(MonthlyBudget),
  /** Usage of the budget's units since the first of this month (UTC). */
  used_this_month: Quantities,
  budgets: Type.Array(BudgetState, {
    description: "budgets in money, each with the amount spent in its current period",
  }),
  task_budget: Nullable(TaskBudget),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  ended_because: Nullable(Type.Enum(connectionEnds)),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Connection = Static<typeof Connection>;

export const ConnectionList = ListOf(Connection);

export const ConnectionQuery = Type.Interface(
  [PageQuery],
  { user_id: Type.Optional(Type.String({ description: "Only connections of this member" })) },
  closed,
);
export type ConnectionQuery = Static<typeof ConnectionQuery>;

/**
 * A request needs at least one field. `monthly_budget: null` removes the monthly budget, an empty list of
 * `budgets` removes the budgets in money, and `task_budget: null` removes the cap per task.
 */
export const ConnectionUpdate = Type.Object(
  {
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
    expires_at: Type.Optional(Timestamp),
  },
  { ...closed, minProperties: 1 },
);
export type ConnectionUpdate = Static<typeof ConnectionUpdate>;

/**
 * The console's routes for a person. The routes for agents' clients are outside `/v1`
 * (`gateway/access/authorization/authorization.ts`).
 */
export const connectionRoutes = {
  "POST /authorization/requests": {
    summary: "Read an authorization request of a client",
    permission: "connections:own",
    extension: true,
    body: AuthorizationAsked,
    answers: { 200: AuthorizationRequest },
  },
  "POST /authorization/consents": {
    summary: "Grant an authorization request, within limits",
    permission: "connections:own",
    extension: true,
    body: ConsentCreate,
    answers: { 201: Consent },
  },
  "GET /connections": {
    summary: "List connections of agents",
    permission: "connections:own",
    extension: true,
    fromBrowser: true,
    query: ConnectionQuery,
    answers: { 200: ConnectionList },
  },
  "GET /connections/{id}": {
    summary: "Read a connection",
    permission: "connections:own",
    extension: true,
    answers: { 200: Connection },
  },
  "PATCH /connections/{id}": {
    summary: "Change the budget or the expiry of a connection",
    permission: "connections:own",
    extension: true,
    byClick: true,
    body: ConnectionUpdate,
    answers: { 200: Connection },
  },
  "DELETE /connections/{id}": {
    summary: "End a connection",
    permission: "connections:own",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
