import { type Static, Type } from "typebox";
import { billingUnits, regionNames } from "../catalog-constants.ts";
import { closed, Deleted, ListOf, Nullable, PageQuery, SearchFilter, Timestamp } from "../list.ts";
import { BudgetInputs, BudgetState, TaskBudget, TaskBudgetInput } from "../money/budgets.ts";
import type { Routes } from "../routes/route.ts";
import {
  keyContents,
  keyFields,
  keyKinds,
  keyRates,
  keyScopes,
  largestBudget,
  originLimits,
} from "./constants.ts";
import { Networks } from "./networks.ts";
import { Person } from "./people.ts";
import { TokenRateInputs, TokenRates } from "./token-rates.ts";

const unitNames = Type.Enum(billingUnits);

/** Quantities by billing unit. Missing units are 0. */
export const Quantities = Type.Partial(Type.Record(unitNames, Type.Number()));
export type Quantities = Static<typeof Quantities>;

/**
 * The amount of each unit that a key may use per calendar month (UTC). A unit that is missing is not limited.
 * Each run reserves its maximum at admission; a run that exceeds the budget is refused with
 * `budget_exceeded`.
 */
export const MonthlyBudget = Type.Partial(
  Type.Record(unitNames, Type.Number({ exclusiveMinimum: 0, maximum: largestBudget })),
  { additionalProperties: false, minProperties: 1 },
);
export type MonthlyBudget = Static<typeof MonthlyBudget>;

const AllowedOrigins = Type.Array(Type.String(keyFields.origin), {
  minItems: 1,
  maxItems: originLimits.perKey,
  uniqueItems: true,
  description: "origins of pages that may use it from a browser, e.g. `https://app.example.com`",
});

const Contents = Type.Enum(keyContents, {
  description:
    "whether contents of its calls are kept: as the account's `contents` says, never, or `on` where the account keeps those of chosen keys",
});

/** What an operator limits a key to; the lower one of this and the key's own limit holds. */
export const OperatorKeyLimits = Type.Object({
  requests_per_minute: Nullable(Type.Integer()),
  max_concurrency: Nullable(Type.Integer()),
  reason: Type.String({ description: "the operator's words" }),
});
export type OperatorKeyLimits = Static<typeof OperatorKeyLimits>;

export const ApiKey = Type.Object({
  id: Type.String(),
  object: Type.Literal("api_key"),
  name: Type.String(),
  kind: Type.Enum(keyKinds),
  /** The owner of a personal key. */
  member: Nullable(Person),
  /**
   * The member whose attestations let a service key run gated operations. Null when that member has left or
   * lost the right to be responsible.
   */
  answered_by: Nullable(Person),
  /** Who created the key. Null: another key, or the command line. */
  created_by: Nullable(Person),
  hint: Type.String({ description: "`svc_live_ab12…wxyz`" }),
  scopes: Type.Array(Type.Enum(keyScopes)),
  models: Nullable(Type.Array(Type.String())),
  regions: Nullable(Type.Array(Type.String())),
  allowed_origins: Nullable(AllowedOrigins),
  networks: Nullable(Networks),
  requests_per_minute: Nullable(Type.Integer()),
  ...TokenRates,
  max_concurrency: Nullable(Type.Integer()),
  operator_limits: Nullable(OperatorKeyLimits),
  monthly_budget: Nullable(MonthlyBudget),
  /** Usage of the budget's units since the first of this month (UTC). */
  used_this_month: Quantities,
  budgets: Type.Array(BudgetState, {
    description: "budgets in money, each with the amount spent in its current period",
  }),
  task_budget: Nullable(TaskBudget),
  contents: Contents,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithSecret = Type.Interface([ApiKey], { secret: Type.String() });
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>;

export const ApiKeyCreate = Type.Object(
  {
    name: Type.String(keyFields.name),
    kind: Type.Optional(
      Type.Enum(keyKinds, {
        description: "`service` by default, or `personal` for callers who may not create service keys",
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum(keyScopes), {
        minItems: 1,
        maxItems: keyScopes.length,
        uniqueItems: true,
        description: "all but `contents` and `operator` by default; only an operator can give `operator`",
      }),
    ),
    models: Type.Optional(Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }))),
    regions: Type.Optional(Nullable(Type.Array(Type.Enum(regionNames), { minItems: 1, maxItems: 10 }))),
    allowed_origins: Type.Optional(Nullable(AllowedOrigins)),
    networks: Type.Optional(Nullable(Networks)),
    requests_per_minute: Type.Optional(Nullable(Type.Integer(keyRates.requests_per_minute))),
    ...TokenRateInputs,
    max_concurrency: Type.Optional(Nullable(Type.Integer(keyRates.max_concurrency))),
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
    contents: Type.Optional(Contents),
    expires_at: Type.Optional(Nullable(Timestamp)),
  },
  closed,
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

/**
 * A request needs at least one field. `monthly_budget: null` removes the monthly budget, an empty list of
 * `budgets` removes the budgets in money, and `task_budget: null` removes the cap per task. A key's first
 * budget takes effect within a second, later changes at once. `allowed_origins: null` stops browsers from
 * using the key, `networks: null` lets it be used anywhere that its account allows. `answered_by` is an owner or admin; anyone but the caller must already have attested.
 */
export const ApiKeyUpdate = Type.Object(
  {
    requests_per_minute: Type.Optional(Nullable(Type.Integer(keyRates.requests_per_minute))),
    ...TokenRateInputs,
    max_concurrency: Type.Optional(Nullable(Type.Integer(keyRates.max_concurrency))),
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    budgets: Type.Optional(BudgetInputs),
    task_budget: Type.Optional(Nullable(TaskBudgetInput)),
    allowed_origins: Type.Optional(Nullable(AllowedOrigins)),
    networks: Type.Optional(Nullable(Networks)),
    contents: Type.Optional(Contents),
    answered_by: Type.Optional(
      Type.String({ description: "id of the user responsible for the key; only for service keys" }),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

export const ApiKeyRotate = Type.Object(
  {
    grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800, default: 0 })),
  },
  closed,
);
export type ApiKeyRotate = Static<typeof ApiKeyRotate>;

export const ApiKeyList = ListOf(ApiKey);

export const KeyQuery = Type.Interface(
  [PageQuery],
  {
    search: Type.Optional(SearchFilter),
    kind: Type.Optional(Type.Enum(keyKinds)),
    user_id: Type.Optional(Type.String({ description: "Only personal keys of this member" })),
    answered_by: Type.Optional(
      Type.Literal("none", { description: "Only usable service keys that nobody is responsible for" }),
    ),
  },
  closed,
);
export type KeyQuery = Static<typeof KeyQuery>;

export const keyRoutes = {
  "GET /keys": {
    summary: "List account keys",
    permission: "keys:own",
    extension: true,
    fromBrowser: true,
    query: KeyQuery,
    answers: { 200: ApiKeyList },
  },
  "POST /keys": {
    summary: "Create an account key; only this answer contains the key",
    permission: "keys:own",
    extension: true,
    idempotent: true,
    location: "/v1/keys/{id}",
    body: ApiKeyCreate,
    answers: { 201: ApiKeyWithSecret },
    replayed: ApiKey,
  },
  "POST /keys/{id}/rotate": {
    summary: "Rotate an account key",
    permission: "keys:own",
    extension: true,
    idempotent: true,
    body: ApiKeyRotate,
    answers: { 200: ApiKeyWithSecret },
    replayed: ApiKey,
  },
  "PATCH /keys/{id}": {
    summary:
      "Change the tokens per minute, the budget, the origins, the networks or the contents of an account key",
    permission: "keys:manage",
    extension: true,
    byClick: true,
    body: ApiKeyUpdate,
    answers: { 200: ApiKey },
  },
  "DELETE /keys/{id}": {
    summary: "Revoke an account key",
    permission: "keys:own",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
