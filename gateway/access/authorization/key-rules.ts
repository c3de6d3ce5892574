import { broadRule, keyRuleLimits } from "#contract/key-rule-constants.ts";
import {
  type KeyRule,
  type KeyRuleCreate,
  type KeyRuleList,
  type KeyRuleUpdate,
  keyRuleRoutes,
  type ShortKey,
  type ShortKeyList,
  type TokenTested,
} from "#contract/key-rules.ts";
import { type Deleted, deleted, type PageQuery } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { assertModelsExist, createKey } from "#gateway/access/accounts/keys/create.ts";
import { keyChanges } from "#gateway/access/accounts/keys/keys.ts";
import { lockKeys } from "#gateway/access/accounts/keys/made-keys.ts";
import { lockKey } from "#gateway/access/accounts/keys/owner.ts";
import { type KeyRow, keyViews } from "#gateway/access/accounts/keys/view.ts";
import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  alias,
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { apiKeys, keyRules, shortKeys } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";
import { audienceOf, issuerOf, paths } from "./oauth.ts";
import { DocumentError } from "./public-document.ts";
import {
  createIssuers,
  type Issuers,
  narrowest,
  readWorkloadToken,
  ruleFaults,
  tokenFaults,
} from "./workload-token.ts";

/** The rules by which workloads exchange their own tokens for short keys, and these keys. */
export function installKeyRules(app: App, context: AccessContext): void {
  const issuers = createIssuers(context);
  serve(app, context, keyRuleRoutes, {
    "GET /key_rules": ({ caller }) => listRules(context, caller.actor),
    "POST /key_rules": ({ caller, body }) => createRule(context, caller, body),
    "POST /key_rules/test": ({ caller, body }) => testToken(context, issuers, caller.actor, body.token),
    "GET /key_rules/{id}": ({ caller, params }) => readRule(context, caller.actor, params.id),
    "PATCH /key_rules/{id}": ({ caller, params, body }) => updateRule(context, caller, params.id, body),
    "DELETE /key_rules/{id}": ({ caller, params }) => deleteRule(context, caller, params.id),
    "GET /key_rules/{id}/keys": ({ caller, params, query }) =>
      listShortKeys(context, caller.actor, params.id, query),
    "DELETE /key_rules/{id}/keys/{key_id}": ({ caller, params }) =>
      endShortKey(context, caller, params.id, params.key_id),
  });
}

const actedAs = alias(apiKeys, "acted_as");

/** The rules of an account that were not deleted, with their keys, newest first. */
export async function rulesOf(
  { database, config }: Pick<AccessContext, "database" | "config">,
  accountId: string,
) {
  const rows = await database.queries
    .select({
      key: getTableColumns(apiKeys),
      rule: getTableColumns(keyRules),
      actsAs: { id: actedAs.id, name: actedAs.name, revokedAt: actedAs.revokedAt },
    })
    .from(keyRules)
    .innerJoin(apiKeys, eq(apiKeys.id, keyRules.keyId))
    .leftJoin(actedAs, eq(actedAs.id, apiKeys.madeBy))
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.id));
  return rows.map(({ key, rule, actsAs }) => ({
    id: key.id,
    key,
    actsAs,
    ...rule,
    audience: rule.audience ?? audienceOf(config, accountId),
  }));
}

export type FoundRule = Awaited<ReturnType<typeof rulesOf>>[number];

/** SQL: the keys of a rule that work now. */
export function isLive(keyId: string) {
  return and(eq(shortKeys.keyId, keyId), isNull(shortKeys.endedAt), gt(shortKeys.expiresAt, clock.date()));
}

async function listRules(context: AccessContext, { accountId }: Actor): Promise<KeyRuleList> {
  const issuer = issuerOf(context.config);
  return {
    object: "list",
    data: await ruleViews(context, await rulesOf(context, accountId)),
    audience: audienceOf(context.config, accountId),
    token_url: issuer + paths.token,
  };
}

/** Throws `key_rule_not_found`. */
async function readRule(context: AccessContext, { accountId }: Actor, id: string): Promise<KeyRule> {
  const found = (await rulesOf(context, accountId)).filter((rule) => rule.id === id);
  const [view] = await ruleViews(context, found);
  if (!view) throw noSuchRule();
  return view;
}

function noSuchRule(): ApiError {
  return new ApiError("key_rule_not_found", "There is no such rule, or it was deleted.");
}

async function ruleViews(context: AccessContext, rules: readonly FoundRule[]): Promise<KeyRule[]> {
  const { queries } = context.database;
  const keys = rules.map(({ key }) => key);
  const views = await keyViews(queries, keys, await usedThisMonth(context, keys));
  return Promise.all(
    rules.map(async (rule, at) => {
      const { id, issuer, audience, claims, singleUse, lifetimeSeconds, actsAs } = rule;
      const { object, kind, answered_by, hint, expires_at, revoked_at, ...limits } = views[
        at
      ] as (typeof views)[number];
      return {
        ...limits,
        id,
        object: "key_rule" as const,
        issuer,
        audience,
        claims,
        single_use: singleUse,
        lifetime_seconds: lifetimeSeconds,
        acts_as: actsAs && { id: actsAs.id, name: actsAs.name },
        revoked_at: endOf(rule)?.toISOString() ?? null,
        live_keys: await queries.$count(shortKeys, isLive(id)),
      };
    }),
  );
}

/** When a rule stopped giving keys; null: it has not. */
function endOf({ key, actsAs }: FoundRule): Date | null {
  const expiredAt = key.expiresAt && key.expiresAt <= clock.date() ? key.expiresAt : null;
  return key.revokedAt ?? actsAs?.revokedAt ?? expiredAt;
}

/**
 * Creates a rule that acts as the caller, or as a service key. Throws `too_many_key_rules`, and as `serviceKey`,
 * `assertNarrow` and `createKey`.
 */
async function createRule(context: AccessContext, caller: Caller, input: KeyRuleCreate): Promise<KeyRule> {
  const { accountId } = caller.actor;
  const { issuer, audience = null, claims, single_use, lifetime_seconds, acts_as, scopes, ...key } = input;
  assertModelsExist(context.catalog, key, accountId);
  assertNarrow(context, issuer, claims);
  const actsAs = acts_as ? await serviceKey(context, accountId, acts_as) : null;
  await context.meter.flush();
  // It ends with the key as which it acts.
  const ends = actsAs?.expiresAt && { expires_at: actsAs.expiresAt.toISOString() };
  const { id } = await context.database.transaction(async (queries) => {
    const made = await createKey(
      queries,
      accountId,
      { ...key, ...ends, kind: actsAs ? "service" : "personal", scopes: scopes ?? ["inference"] },
      { ...caller, config: context.config },
      {
        boundTo: "exchange",
        action: "key_rule.created",
        detail: { issuer, audience, claims, ...(acts_as && { acts_as }) },
        actsAs,
      },
    );
    await queries.insert(keyRules).values({
      keyId: made.id,
      issuer,
      audience,
      claims,
      singleUse: single_use ?? false,
      lifetimeSeconds: lifetime_seconds ?? 3_600,
    });
    await assertRoomForRule(queries, accountId);
    return made;
  });
  context.origins.forget();
  return readRule(context, caller.actor, id);
}

/** Called after the rule is inserted, under the lock of the account's keys. */
async function assertRoomForRule(queries: Queries, accountId: string): Promise<void> {
  const rules = sql`select 1 from key_rules join api_keys on id = key_id where account_id = ${accountId}`;
  const { rows } = await queries.execute(rules);
  if (rows.length > keyRuleLimits.perAccount)
    throw new ApiError(
      "too_many_key_rules",
      `An account can have at most ${keyRuleLimits.perAccount} rules. Delete one first.`,
    );
}

/** Throws `invalid_parameter`. */
async function serviceKey({ database }: AccessContext, accountId: string, id: string): Promise<Actor> {
  const [key] = await database.queries
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.accountId, accountId),
        isNull(apiKeys.userId),
        isNull(apiKeys.boundTo),
        isNull(apiKeys.revokedAt),
      ),
    );
  const unfit = invalidParameter(
    "acts_as",
    "acts_as must be a service key of this account that still works.",
  );
  if (!key) throw unfit;
  // Its own errors are 401, which would sign the caller out of the console.
  return readActorNow(database, { accountId, keyId: id, userId: null }).catch((error: unknown) => {
    throw error instanceof ApiError ? unfit : error;
  });
}

/** Claims that the gateway checks itself. */
const ownClaims = new Set(["iss", "aud", "exp", "nbf", "iat", "jti"]);

/**
 * Refuses an issuer that the gateway may not call, claims that say nothing, and rules that would take the tokens of
 * strangers. Throws `invalid_parameter`.
 */
function assertNarrow({ config }: AccessContext, issuer: string, claims: Record<string, string>): void {
  const checked = checkUrl(issuer, config.webhooks);
  if (!checked.ok) throw invalidParameter("issuer", `The issuer ${checked.reason}.`);
  for (const [name, value] of Object.entries(claims)) {
    if (ownClaims.has(name))
      throw invalidParameter("claims", `The gateway itself checks ${name}. Leave it out of the claims.`);
    if (/^\*|\*./.test(value))
      throw invalidParameter("claims", `${name} may have \`*\` only at its end, after a fixed part.`);
  }
  const broad = broadRule(issuer, claims);
  if (broad) throw invalidParameter(broad.param, broad.reason);
}

/**
 * Changes a rule: its limits at once in this process and within a second in others. Throws `key_rule_not_found`,
 * `user_session_required` for the rule of another person, and as `assertNarrow` and `keyChanges`.
 */
async function updateRule(
  context: AccessContext,
  caller: Caller,
  id: string,
  input: KeyRuleUpdate,
): Promise<KeyRule> {
  const { accountId } = caller.actor;
  const { name, claims, audience, single_use: singleUse, lifetime_seconds: lifetimeSeconds, ...key } = input;
  assertModelsExist(context.catalog, key, accountId);
  await context.meter.flush();
  await audited(context, caller, "key_rule.updated", async (queries) => {
    await lockKeys(queries, accountId);
    const { old, rule } = await lockRule(queries, caller.actor, id);
    if (old.userId !== null && old.userId !== caller.actor.userId)
      throw new ApiError(
        "user_session_required",
        "This rule acts as another person, and only they can change it. You can delete the rule.",
      );
    if (claims) assertNarrow(context, rule.issuer, claims);
    const changes = await keyChanges(queries, context, caller.actor, old, key);
    await queries
      .update(apiKeys)
      .set({ name: old.name, ...(name !== undefined && { name }), ...changes })
      .where(eq(apiKeys.id, id));
    await queries
      .update(keyRules)
      .set({
        claims: claims ?? rule.claims,
        ...(audience !== undefined && { audience }),
        ...(singleUse !== undefined && { singleUse }),
        ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
      })
      .where(eq(keyRules.keyId, id));
    if (claims ?? audience ?? singleUse !== undefined)
      await queries.update(shortKeys).set({ endedAt: clock.date() }).where(isLive(id));
    return { target: id, detail: { name: old.name, ...input }, result: null };
  });
  context.credentials.forget(id);
  context.origins.forget();
  return readRule(context, caller.actor, id);
}

async function lockRule(queries: Queries, actor: Actor, id: string) {
  const old: KeyRow = await lockKey(queries, actor, id, "exchange");
  const [rule] = await queries.select().from(keyRules).where(eq(keyRules.keyId, id));
  if (!rule) throw noSuchRule();
  return { old, rule };
}

/**
 * Deletes a rule, also one that acts as somebody else. Its keys end: at once in this process, within a second in others.
 * Throws `key_rule_not_found`.
 */
async function deleteRule(context: AccessContext, caller: Caller, id: string): Promise<Deleted> {
  await audited(context, caller, "key_rule.deleted", async (queries) => {
    const found = (await rulesOf(context, caller.actor.accountId)).find((rule) => rule.id === id);
    if (!found) throw noSuchRule();
    await queries.delete(keyRules).where(eq(keyRules.keyId, id));
    await queries
      .update(apiKeys)
      .set({ revokedAt: found.key.revokedAt ?? clock.date() })
      .where(eq(apiKeys.id, id));
    return { target: id, detail: { name: found.key.name }, result: null };
  });
  context.credentials.forget(id);
  context.origins.forget();
  return deleted("key_rule", id);
}

/**
 * Which rule would take a token, and why the others would not. Nothing of the token is stored. The signature is checked
 * for the rules of its issuer only, because the gateway asks no other issuer for its keys.
 */
async function testToken(
  context: AccessContext,
  issuers: Issuers,
  { accountId }: Actor,
  text: string,
): Promise<TokenTested> {
  const token = readWorkloadToken(text.trim());
  const nothing = {
    object: "token_test" as const,
    issuer: null,
    audiences: [],
    subject: null,
    taken_by: null,
  };
  if ("malformed" in token) return { ...nothing, malformed: token.malformed, rules: [] };
  const rules = await rulesOf(context, accountId);
  const isKnown = rules.some(({ issuer }) => issuer === token.issuer);
  const signature = isKnown ? await signatureFault(issuers, token) : null;
  const everywhere = tokenFaults(token);
  const tested = rules.map((rule) => ({
    id: rule.id,
    name: rule.key.name,
    claims: rule.claims,
    faults: [
      ...ruleFaults(rule, token),
      ...everywhere,
      ...(signature !== null && rule.issuer === token.issuer
        ? [{ check: "signature" as const, message: signature }]
        : []),
      ...(endOf(rule)
        ? [{ check: "rule" as const, message: "The key as which the rule acts has ended." }]
        : []),
    ],
  }));
  return {
    object: "token_test",
    malformed: null,
    issuer: token.issuer,
    audiences: token.audiences,
    subject: token.subject,
    taken_by: narrowest(tested.filter(({ faults }) => faults.length === 0))?.id ?? null,
    rules: tested.map(({ claims, ...rest }) => rest),
  };
}

/** Null if the issuer signed the token. */
async function signatureFault(
  issuers: Issuers,
  token: Parameters<Issuers["haveSigned"]>[0],
): Promise<string | null> {
  try {
    if (await issuers.haveSigned(token)) return null;
    return `No key that ${token.issuer} publishes has signed the token.`;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return `The keys of ${token.issuer} cannot be read: the address ${error.message}.`;
  }
}

/** The keys that workloads got by a rule, newest first. Throws `key_rule_not_found`. */
async function listShortKeys(
  context: AccessContext,
  actor: Actor,
  ruleId: string,
  query: PageQuery,
): Promise<ShortKeyList> {
  await readRule(context, actor, ruleId);
  const { queries } = context.database;
  const page = keyset("shortKey", shortKeys.id, query, [
    eq(shortKeys.accountId, actor.accountId),
    eq(shortKeys.keyId, ruleId),
  ]);
  return readPage(queries, page, queries.select().from(shortKeys).$dynamic(), (rows) =>
    rows.map(shortKeyView),
  );
}

function shortKeyView(row: typeof shortKeys.$inferSelect): ShortKey {
  return {
    id: row.id,
    object: "short_key",
    subject: row.subject,
    scopes: row.scopes as ShortKey["scopes"],
    ip: row.ip,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

/** Ends one key: at once in this process, within a second in others. Throws `short_key_not_found`. */
async function endShortKey(
  context: AccessContext,
  caller: Caller,
  ruleId: string,
  id: string,
): Promise<Deleted> {
  await audited(context, caller, "short_key.ended", async (queries) => {
    const [row] = await queries
      .update(shortKeys)
      .set({ endedAt: clock.date() })
      .where(and(eq(shortKeys.id, id), eq(shortKeys.accountId, caller.actor.accountId), isLive(ruleId)))
      .returning();
    if (!row)
      throw new ApiError("short_key_not_found", "There is no such key of this rule, or it has ended.");
    return { target: id, detail: { subject: row.subject }, result: null };
  });
  context.credentials.forget(id);
  return deleted("short_key", id);
}
