import { isDeepStrictEqual } from "node:util";
import { newId } from "#contract/ids.ts";
import { keyRuleLimits, tokenExchange } from "#contract/key-rule-constants.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { credentialHash, newShortKey } from "#gateway/access/accounts/keys/format.ts";
import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import { assertNotSuspended } from "#gateway/access/accounts/suspension.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { apiKeys, keyRules, shortKeys } from "#gateway/platform/database/schema.ts";
import { textProblem } from "#gateway/platform/http/body-bounds.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { type FoundRule, isLive, rulesOf } from "./key-rules.ts";
import { audienceOf, OAuthError } from "./oauth.ts";
import { DocumentError } from "./public-document.ts";
import {
  type Issuers,
  narrowest,
  readWorkloadToken,
  ruleFaults,
  tokenFaults,
  type WorkloadToken,
} from "./workload-token.ts";

/** The parameters of a form. */
export type Form = ReadonlyMap<string, string>;

/** The origin of a client's request, for the audit log. */
export interface Sender {
  ip: string;
  requestId: string;
}

export const refusedTokens: Limit = { name: "refused tokens", count: 60, periodMs: 60_000 };

/** Keys that one rule gives, so that a workload in a loop does not fill the table. */
export const exchangesOfRule: Limit = { name: "token exchanges of a rule", count: 120, periodMs: 60_000 };

/** The same for all rules of an account together. */
export const exchangesOfAccount: Limit = {
  name: "token exchanges of an account",
  count: 600,
  periodMs: 60_000,
};

/** A repeat of a token that works once gets a new key within this time: its first answer may have been lost. */
const repeatMs = 30_000;

/**
 * Exchanges a workload's own token for a short key (RFC 8693), by a rule of the account that `audience` names. Rules are
 * never searched over accounts. Refusals that depend on rules are all the same, because a stranger reads them; the
 * console's test field has the reasons. Throws the standard's errors, `rate_limit_exceeded`, `account_suspended` and `network_not_allowed`.
 */
export async function exchangeToken(context: AccessContext, issuers: Issuers, form: Form, sender: Sender) {
  const address = addressBlock(sender.ip);
  const taken = await context.limiter.take(address, refusedTokens);
  if (!taken.allowed) throw tooManyRequests("Too many refused tokens came from this address.", taken);
  const { accountId, token, scopes } = askedIn(form);
  const rule = await ruleFor(context, issuers, accountId, token);
  for (const [name, of, limit] of [
    ["This rule", rule.id, exchangesOfRule],
    ["This account", accountId, exchangesOfAccount],
  ] as const) {
    const given = await context.limiter.take(of, limit);
    if (given.allowed) continue;
    await context.limiter.giveBack(address, refusedTokens);
    throw tooManyRequests(
      `${name} gives at most ${limit.count} keys a minute. Let workloads reuse a key until it ends.`,
      given,
    );
  }
  const issued = await issue(context, rule, token, scopes, sender);
  await context.limiter.giveBack(address, refusedTokens);
  return issued;
}

function askedIn(form: Form): { accountId: string; token: WorkloadToken; scopes: string[] | null } {
  const [subjectToken, type] = [form.get("subject_token"), form.get("subject_token_type")];
  const { jwt, idToken, accessToken } = tokenExchange;
  if (!subjectToken) throw invalidRequest("subject_token is missing: send the workload's own token.");
  if (type !== jwt && type !== idToken)
    throw invalidRequest(`subject_token_type must be ${jwt} or ${idToken}.`);
  if ((form.get("requested_token_type") ?? accessToken) !== accessToken)
    throw invalidRequest(`requested_token_type must be ${accessToken}, or left out.`);
  if (form.has("actor_token"))
    throw invalidRequest("actor_token is not supported: the key acts as its rule says.");
  const accountId = form.get("audience");
  if (!accountId)
    throw invalidRequest(
      "audience is missing: send the id of the account (acct_…) whose rule takes the token.",
    );
  // No account has such an id, and the database would fail at it.
  if (textProblem(accountId)) throw refused();
  const token = readWorkloadToken(subjectToken);
  if ("malformed" in token) throw invalidRequest(`subject_token is refused. ${token.malformed}`);
  const [fault] = tokenFaults(token);
  if (fault) throw invalidRequest(fault.message);
  const scopes =
    form
      .get("scope")
      ?.split(" ")
      .filter((scope) => scope !== "") ?? null;
  return { accountId, token, scopes };
}

function invalidRequest(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
}

function refused(): OAuthError {
  return invalidRequest(
    "No rule of this account takes the token. Paste a token into the test field of the console's page Key rules: it says why.",
  );
}

async function ruleFor(
  context: AccessContext,
  issuers: Issuers,
  accountId: string,
  token: WorkloadToken,
): Promise<FoundRule> {
  const rules = await rulesOf(context, accountId);
  const ofIssuer = rules.filter(({ key, issuer }) => key.revokedAt === null && issuer === token.issuer);
  const [first] = ofIssuer;
  if (!first) throw refused();
  const isSigned = await issuers.haveSigned(token).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error;
    context.log.warn({ issuer: first.issuer, reason: error.message }, "the keys of an issuer cannot be read");
    throw new OAuthError(
      "temporarily_unavailable",
      "The keys of the token's issuer cannot be read now. Try again in a moment.",
    );
  });
  const rule = isSigned && narrowest(ofIssuer.filter((each) => ruleFaults(each, token).length === 0));
  if (!rule) throw refused();
  return rule;
}

async function issue(
  context: AccessContext,
  rule: FoundRule,
  token: WorkloadToken,
  asked: readonly string[] | null,
  sender: Sender,
) {
  const { key, lifetimeSeconds, singleUse, issuer } = rule;
  const beyond = asked?.filter((scope) => !key.scopes.includes(scope)) ?? [];
  if (beyond.length > 0)
    throw new OAuthError(
      "invalid_scope",
      "The rule does not give all of these scopes. Leave scope out, or ask for fewer.",
    );
  const { accountId } = key;
  const actor = await readActorNow(context.database, { accountId, keyId: key.id, userId: null }).catch(
    (error: unknown) => {
      throw error instanceof ApiError ? refused() : error;
    },
  );
  if (actor.closesAt && actor.closesAt <= clock.date()) throw refused();
  if (!context.networks.admits(actor, sender.ip)) throw context.networks.refuse(actor, sender.ip);
  const secret = newShortKey();
  const subject = token.subject ?? "";
  const now = clock.date();
  const row = {
    id: newId("shortKey"),
    accountId,
    keyId: key.id,
    secretHash: credentialHash(secret),
    subject,
    scopes: asked ? [...new Set(asked)] : key.scopes,
    tokenHash: singleUse ? credentialHash(token.tokenId ?? "") : null,
    tokenUsedAt: singleUse ? now : null,
    ip: sender.ip,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  };
  const ended = await context.database.transaction(async (queries) => {
    await assertNotSuspended(queries, accountId);
    await assertUnchanged(context, queries, rule);
    const first = row.tokenHash === null ? null : await takeOver(queries, key.id, row.tokenHash);
    await assertRoom(queries, key.id);
    await queries.insert(shortKeys).values({ ...row, ...(first && { tokenUsedAt: first.tokenUsedAt }) });
    await recordAudit(queries, {
      accountId,
      actor: { kind: "key", id: key.id, name: `${key.name} (${subject})`, userId: key.userId },
      action: "short_key.issued",
      targetId: row.id,
      detail: { rule: key.name, subject, issuer, expires_at: row.expiresAt.toISOString() },
      ...sender,
    });
    return first?.id;
  });
  if (ended !== undefined) context.credentials.forget(ended);
  return {
    access_token: secret,
    issued_token_type: tokenExchange.accessToken,
    token_type: "Bearer",
    expires_in: lifetimeSeconds,
    scope: row.scopes.join(" "),
  };
}

/**
 * The rule may have changed while its issuer's keys were read. A change from now on waits for this lock, and then ends
 * the new key with the others.
 */
async function assertUnchanged(
  { config }: AccessContext,
  queries: Queries,
  { key, audience, claims, singleUse }: FoundRule,
): Promise<void> {
  await queries.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, key.id)).for("key share");
  const [now] = await queries.select().from(keyRules).where(eq(keyRules.keyId, key.id));
  const isSame =
    now?.singleUse === singleUse &&
    (now.audience ?? audienceOf(config, key.accountId)) === audience &&
    isDeepStrictEqual(now.claims, claims);
  if (!isSame) throw refused();
}

/** Ends the key that somebody got for the same token, if that was just now. Null: the token is new. */
async function takeOver(queries: Queries, keyId: string, tokenHash: string) {
  await lockName(queries, `token ${keyId} ${tokenHash}`);
  const [first] = await queries
    .select()
    .from(shortKeys)
    .where(and(eq(shortKeys.keyId, keyId), eq(shortKeys.tokenHash, tokenHash)));
  if (!first) return null;
  const usedAt = first.tokenUsedAt?.getTime() ?? 0;
  if (clock.now() - usedAt > repeatMs)
    throw invalidRequest(
      "The token was used before, and its rule takes each token once. Request a new token.",
    );
  await queries
    .update(shortKeys)
    .set({ endedAt: first.endedAt ?? clock.date(), tokenHash: null })
    .where(eq(shortKeys.id, first.id));
  return first;
}

async function assertRoom(queries: Queries, keyId: string): Promise<void> {
  if ((await queries.$count(shortKeys, isLive(keyId))) < keyRuleLimits.liveKeys) return;
  throw new OAuthError(
    "temporarily_unavailable",
    `The rule has given ${keyRuleLimits.liveKeys} keys that still work. Let workloads reuse a key until it ends.`,
  );
}

/** Ends a short key at the request of its workload (RFC 7009). */
export async function revokeShortKey(context: AccessContext, secret: string, sender: Sender): Promise<void> {
  const ended = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(shortKeys)
      .set({ endedAt: clock.date() })
      .where(and(eq(shortKeys.secretHash, credentialHash(secret)), isNull(shortKeys.endedAt)))
      .returning();
    if (!row) return null;
    const { id, accountId, keyId, subject } = row;
    const [key] = await queries.select().from(apiKeys).where(eq(apiKeys.id, keyId));
    await recordAudit(queries, {
      accountId,
      actor: { kind: "key", id: keyId, name: `${key?.name} (${subject})`, userId: key?.userId ?? null },
      action: "short_key.ended",
      targetId: id,
      detail: { subject },
      ...sender,
    });
    return id;
  });
  if (ended !== null) context.credentials.forget(ended);
}

/** A key that has ended is listed for another day. */
export const shortKeySweep = rowSweep({
  kind: "short_keys",
  table: "short_keys",
  dueAt: "expires_at",
  afterSeconds: 86_400,
});
