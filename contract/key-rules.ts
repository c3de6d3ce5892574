import { type Static, Type } from "typebox";
import { keyFields } from "./accounts/constants.ts";
import { ApiKey, ApiKeyCreate, ApiKeyUpdate } from "./accounts/keys.ts";
import { keyRuleFields, keyRuleLimits, tokenChecks } from "./key-rule-constants.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";

/** A name, or a JSON pointer to a value inside: `/kubernetes.io/namespace`. */
const Claims = Type.Record(Type.String(keyRuleFields.claimName), Type.String(keyRuleFields.claimValue), {
  minProperties: 1,
  maxProperties: keyRuleLimits.claims,
  description:
    "claims that the token must have, each with its exact value, or with a beginning and `*`. A name that begins with `/` is a JSON pointer, e.g. `/kubernetes.io/namespace`",
  examples: [{ repository: "example/shop", ref: "refs/heads/main" }],
});

const ruleInputs = {
  audience: Type.Optional(
    Type.String({
      ...keyRuleFields.audience,
      description: "what the token must have in `aud`; by default an address that only this account has",
    }),
  ),
  single_use: Type.Optional(
    Type.Boolean({
      description:
        "whether each token (`jti`) works once; a repeat within 30 s gets a new key and ends the first. False by default",
    }),
  ),
  lifetime_seconds: Type.Optional(
    Type.Integer({ ...keyRuleFields.lifetime, description: "how long each key lives; 3600 by default" }),
  ),
};

/** `kind` follows from `acts_as`, and `expires_at` from `lifetime_seconds`. */
const { name, kind, expires_at, ...keyInputs } = ApiKeyCreate.properties;

/**
 * A rule by which a workload exchanges its own token for a short key. `scopes` are `inference` by default; all other
 * limits are those of a key, and one count for all keys of the rule.
 */
export const KeyRuleCreate = Type.Object(
  {
    name: Type.String(keyFields.name),
    issuer: Type.String({
      ...keyRuleFields.issuer,
      description: "the `iss` of the tokens, exactly. Its keys are found by OpenID Connect Discovery",
      examples: ["https://token.actions.githubusercontent.com"],
    }),
    claims: Claims,
    ...ruleInputs,
    acts_as: Type.Optional(
      Nullable(
        Type.String({
          description:
            "the service key as which the keys act: they have at most its rights, share one count of its limits and budgets with it and its other rules, use its responsible person's attestations, and end with it. Null: they act as you",
        }),
      ),
    ),
    ...keyInputs,
  },
  closed,
);
export type KeyRuleCreate = Static<typeof KeyRuleCreate>;

const { answered_by, ...keyChanges } = ApiKeyUpdate.properties;

/**
 * A request needs at least one field. A change of audience, claims or `single_use` ends the keys of the rule; the limits
 * change at once for all of them. Only the person as whom a rule acts can change it.
 */
export const KeyRuleUpdate = Type.Object(
  {
    name: Type.Optional(Type.String(keyFields.name)),
    claims: Type.Optional(Claims),
    ...ruleInputs,
    ...keyChanges,
  },
  { ...closed, minProperties: 1 },
);
export type KeyRuleUpdate = Static<typeof KeyRuleUpdate>;

const {
  object,
  kind: _kind,
  answered_by: _answered,
  hint,
  expires_at: _expires,
  ...ofKey
} = ApiKey.properties;

export const KeyRule = Type.Object({
  ...ofKey,
  id: Type.String({ description: "in usage and logs, the id of the key of all runs by this rule" }),
  object: Type.Literal("key_rule"),
  issuer: Type.String(),
  audience: Type.String(),
  claims: Type.Record(Type.String(), Type.String()),
  single_use: Type.Boolean(),
  lifetime_seconds: Type.Integer(),
  acts_as: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  revoked_at: Nullable(
    Type.String({
      format: "date-time",
      description: "when the service key or the person's personal keys ended: the rule gives no more keys",
    }),
  ),
  live_keys: Type.Integer({ description: "keys that work now" }),
});
export type KeyRule = Static<typeof KeyRule>;

/** All rules of the account, newest first. */
export const KeyRuleList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(KeyRule),
  audience: Type.String({ description: "the audience of rules that name none" }),
  token_url: Type.String({ description: "where workloads exchange their tokens" }),
});
export type KeyRuleList = Static<typeof KeyRuleList>;

/** A key that a workload got; removed a day after its end. */
export const ShortKey = Type.Object({
  id: Type.String(),
  object: Type.Literal("short_key"),
  subject: Type.String({ description: "the `sub` of the workload's token" }),
  scopes: ApiKey.properties.scopes,
  ip: Nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Nullable(Timestamp),
});
export type ShortKey = Static<typeof ShortKey>;

export const ShortKeyList = ListOf(ShortKey);
export type ShortKeyList = Static<typeof ShortKeyList>;

export const TokenTest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: keyRuleLimits.tokenLength }) },
  closed,
);
export type TokenTest = Static<typeof TokenTest>;

const Fault = Type.Object({ check: Type.Enum(tokenChecks), message: Type.String() });
export type TokenFault = Static<typeof Fault>;

/** Which rule would take a token, and why the others would not. */
export const TokenTested = Type.Object({
  object: Type.Literal("token_test"),
  malformed: Nullable(Type.String({ description: "why this is no token that any rule could take" })),
  issuer: Nullable(Type.String()),
  audiences: Type.Array(Type.String()),
  subject: Nullable(Type.String()),
  taken_by: Nullable(Type.String({ description: "id of the rule that takes it" })),
  rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), faults: Type.Array(Fault) })),
});
export type TokenTested = Static<typeof TokenTested>;

export const keyRuleRoutes = {
  "GET /key_rules": {
    summary: "List the rules for short keys",
    permission: "key_rules:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: KeyRuleList },
  },
  "POST /key_rules": {
    summary: "Create a rule by which a workload exchanges its own token for a short key",
    permission: "key_rules:write",
    extension: true,
    idempotent: true,
    byClick: true,
    location: "/v1/key_rules/{id}",
    body: KeyRuleCreate,
    answers: { 201: KeyRule },
  },
  "POST /key_rules/test": {
    summary: "Try which rule takes a token; nothing of the token is stored",
    permission: "key_rules:read",
    extension: true,
    byClick: true,
    body: TokenTest,
    answers: { 200: TokenTested },
  },
  "GET /key_rules/{id}": {
    summary: "Read a rule for short keys",
    permission: "key_rules:read",
    extension: true,
    answers: { 200: KeyRule },
  },
  "PATCH /key_rules/{id}": {
    summary: "Change a rule for short keys",
    permission: "key_rules:write",
    extension: true,
    byClick: true,
    body: KeyRuleUpdate,
    answers: { 200: KeyRule },
  },
  "DELETE /key_rules/{id}": {
    summary: "Delete a rule, which ends its keys",
    permission: "key_rules:write",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "GET /key_rules/{id}/keys": {
    summary: "List the keys that workloads got by a rule",
    permission: "key_rules:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: ShortKeyList },
  },
  "DELETE /key_rules/{id}/keys/{key_id}": {
    summary: "End one of a rule's keys",
    permission: "key_rules:write",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
