import { type Static, Type } from "typebox";
import { regionNames } from "../catalog-constants.ts";
import { closed, NoQuery, Nullable } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { accountLimitFields as bounds, contentsDays, keyRates, retentionMinutes } from "./constants.ts";

/** What limits all keys and members of an account together; null: nothing does. */
const fields = {
  requests_per_minute: Nullable(
    Type.Integer({ ...bounds.requests_per_minute, description: "operations a minute" }),
  ),
  tokens_per_minute: Nullable(
    Type.Integer({ ...keyRates.tokens_per_minute, description: "tokens of text a minute, with all models" }),
  ),
  max_concurrency: Nullable(
    Type.Integer({ ...bounds.max_concurrency, description: "operations that run at once" }),
  ),
  storage_bytes: Nullable(
    Type.Integer({ ...bounds.storage_bytes, description: "total size of stored files" }),
  ),
  contents_days: Nullable(
    Type.Integer({
      ...contentsDays,
      description: "the longest `contents.days` that the account may choose",
    }),
  ),
  shortest_retention_minutes: Nullable(
    Type.Integer({
      ...retentionMinutes,
      description:
        "the shortest `retention_minutes` that its owner may choose; null: only the installation's",
    }),
  ),
  models: Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: bounds.models,
      uniqueItems: true,
      description: "the only models that it may run",
    }),
  ),
  regions: Nullable(
    Type.Array(Type.Enum(regionNames), {
      minItems: 1,
      uniqueItems: true,
      description: "the only regions in which its runs may be",
    }),
  ),
};

export const AccountLimits = Type.Object(fields);
export type AccountLimits = Static<typeof AccountLimits>;

type SomeLimits = Partial<AccountLimits> | null | undefined;

/** What operators set for an account: its own limits, otherwise those of its plan. */
export function setLimitsOf(plan: SomeLimits, own: SomeLimits): Partial<AccountLimits> {
  const set = [plan, own].flatMap((limits) => Object.entries(limits ?? {}));
  return Object.fromEntries(set.filter(([, limit]) => limit !== null));
}

/**
 * What limits an account: what operators set for it (`setLimitsOf`), otherwise the limits of the installation;
 * for contents, the lower one.
 */
export function limitsOf(usual: AccountLimits, set: SomeLimits): AccountLimits {
  const limits: AccountLimits = { ...usual, ...setLimitsOf(null, set) };
  const mostDays = usual.contents_days;
  return {
    ...limits,
    contents_days: mostDays === null ? null : Math.min(mostDays, limits.contents_days ?? mostDays),
  };
}

/** A limit that is missing stays; null gives the account that of its plan or of the installation again. */
export const AccountLimitsUpdate = Type.Object(
  {
    ...Type.Partial(AccountLimits).properties,
    plan: Type.Optional(Nullable(Type.String({ maxLength: 60, description: "id of a plan; null: none" }))),
    reason: Type.String({
      ...bounds.reason,
      description: "why; members of the account see it in the audit log",
    }),
  },
  { ...closed, minProperties: 2 },
);
export type AccountLimitsUpdate = Static<typeof AccountLimitsUpdate>;

/** What limits the account: set by an operator for it or for its plan, or for all accounts of the installation. */
export const OwnLimits = Type.Object({
  object: Type.Literal("account.limits"),
  ...fields,
  plan: Nullable(Type.String({ description: "name of the account's plan" })),
  stored_bytes: Type.Integer({ description: "size of the files that are stored now" }),
});
export type OwnLimits = Static<typeof OwnLimits>;

export const accountLimitRoutes = {
  "GET /account/limits": {
    summary: "Read what limits the account",
    permission: "usage:own",
    extension: true,
    query: NoQuery,
    answers: { 200: OwnLimits },
  },
} as const satisfies Routes;
