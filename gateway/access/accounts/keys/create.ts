import { type KeyContents, scopes } from "#contract/accounts/constants.ts";
import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type { AuditAction } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import { checkedBudgets, checkedTaskBudget } from "#gateway/billing/budgets/check.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { recordAudit } from "../audit.ts";
import { checkedNetworks } from "../networks/networks.ts";
import { tokenRatesIn } from "../token-rates.ts";
import { credentialHash, keyHint, newAccountKey } from "./format.ts";
import { assertWithinGrant } from "./grant.ts";
import { assertMayMake, lockKeys } from "./made-keys.ts";
import { firstOwner, ownerOfNewKey } from "./owner.ts";
import { keyViews } from "./view.ts";

/** A key for a special purpose: the only interface that accepts it, and its action in the audit log. */
interface SpecialKey {
  boundTo: "mcp" | "exchange";
  action: AuditAction;
  detail: Record<string, unknown>;
  /** For a rule: the service key as which its key acts, and whose rights and limits it must not exceed. */
  actsAs?: Actor | null;
}

/**
 * Creates an account key, whose secret is shown only in this answer. `by` is null for the command line. Call
 * it inside a transaction. Throws as `ownerOfNewKey`, `originsOf`, `checkedNetworks`, `assertWithinGrant` and `assertMayMake`, and
 * `too_many_keys`.
 */
export async function createKey(
  queries: Queries,
  accountId: string,
  input: ApiKeyCreate,
  by: (Caller & { config: Config }) | null,
  special: SpecialKey | null = null,
): Promise<ApiKeyWithSecret> {
  const granted = input.scopes ?? [...scopes];
  const models = input.models ?? null;
  const regions = input.regions ?? null;
  const allowedOrigins = originsOf(input.allowed_origins ?? null);
  const networks = checkedNetworks(input.networks ?? special?.actsAs?.networks ?? null, "networks");
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  const limits = limitsIn(input, by?.config ?? null);
  if (by) await assertMayChoose(queries, by.actor, input.contents);
  const actsAs = special?.actsAs ?? null;
  const belonging = !by
    ? await firstOwner(queries, accountId)
    : actsAs
      ? { userId: null, answeredBy: actsAs.answeredBy, createdBy: by.actor.userId }
      : await ownerOfNewKey(queries, by.actor, input);
  const makers = [by?.actor, actsAs].filter((actor) => actor != null);
  const madeBy = makers.findLast(({ kind }) => kind === "key") ?? null;
  const isRule = special?.boundTo === "exchange";
  const reach = { scopes: granted, models, regions, allowedOrigins, networks, expiresAt };
  for (const maker of makers) assertWithinGrant(maker, reach, "body");
  if (by) {
    await lockKeys(queries, accountId);
    if (!isRule) await assertRoomForKey(queries, by.config, accountId);
    for (const maker of makers)
      await assertMayMake(queries, by.config, maker, limits, isRule && maker === madeBy);
  }
  if (expiresAt && expiresAt.getTime() <= clock.now())
    throw invalidParameter("expires_at", "expires_at must be in the future");
  const secret = newAccountKey();
  const id = newId("key");
  await queries.insert(apiKeys).values({
    id,
    accountId,
    name: input.name,
    hint: keyHint(secret),
    secretHash: credentialHash(secret),
    scopes: granted,
    models,
    regions,
    allowedOrigins,
    networks,
    boundTo: special?.boundTo ?? null,
    ...limits,
    contents: input.contents ?? null,
    ...belonging,
    madeBy: madeBy?.id ?? null,
    expiresAt,
  });
  await recordAudit(queries, {
    accountId,
    actor: by?.actor ?? null,
    action: special?.action ?? "key.created",
    targetId: id,
    detail: {
      name: input.name,
      kind: belonging.userId ? "personal" : "service",
      scopes: granted,
      ...(allowedOrigins && { allowed_origins: allowedOrigins }),
      ...(networks && { networks }),
      ...(limits.tokensPerMinute && { tokens_per_minute: limits.tokensPerMinute }),
      ...(limits.modelTokensPerMinute && { model_tokens_per_minute: limits.modelTokensPerMinute }),
      ...(limits.budgets && { budgets: limits.budgets }),
      ...(limits.taskBudget && { task_budget: limits.taskBudget }),
      ...(input.contents && { contents: input.contents }),
      ...special?.detail,
    },
    ip: by?.ip ?? null,
    requestId: by?.requestId ?? null,
  });
  const [row] = await queries.select().from(apiKeys).where(eq(apiKeys.id, id));
  const [view] = await keyViews(queries, row ? [row] : []);
  if (!view) throw new ApiError("internal_error", "The key was not saved.");
  return { ...view, secret };
}

/** The limits of a new key; the command line gives it no budget in money. */
function limitsIn(input: ApiKeyCreate, config: Config | null) {
  return {
    requestsPerMinute: input.requests_per_minute ?? null,
    tokensPerMinute: null,
    modelTokensPerMinute: null,
    ...tokenRatesIn(input),
    maxConcurrency: input.max_concurrency ?? null,
    monthlyBudget: input.monthly_budget ?? null,
    budgets: config && checkedBudgets(input.budgets ?? [], config.currency),
    taskBudget: config && checkedTaskBudget(input.task_budget ?? null, config.currency),
  };
}

/** Revoked and expired keys do not count, nor do those of rules. */
async function assertRoomForKey(
  queries: Queries,
  { keysPerAccount }: Config,
  accountId: string,
): Promise<void> {
  const active = and(
    eq(apiKeys.accountId, accountId),
    sql`${apiKeys.boundTo} is distinct from 'exchange'`,
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock.date())),
  );
  if ((await queries.$count(apiKeys, active)) >= keysPerAccount)
    throw new ApiError(
      "too_many_keys",
      `An account can have at most ${keysPerAccount} active keys. Revoke one first.`,
    );
}

/**
 * The origins of a key in the form that browsers send, without duplicates. Throws `invalid_parameter` for an
 * invalid origin.
 */
export function originsOf(given: readonly string[] | null): string[] | null {
  if (given === null) return null;
  const origins = given.map((text, at) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.hostname !== "" && url.pathname === "/" && !url.username)
      return url.origin;
    const param = `allowed_origins[${at}]`;
    throw invalidParameter(
      param,
      `${param} is ${text}, which is not an origin. Write it as https://app.example.com, without a path.`,
    );
  });
  return [...new Set(origins)];
}

/**
 * A key may be left out of what its account keeps, but chosen only where the account keeps contents of chosen keys, by
 * somebody who manages keys. Throws `invalid_parameter`, and as `assertPermitted`.
 */
export async function assertMayChoose(
  queries: Queries,
  actor: Actor,
  contents: KeyContents | undefined,
): Promise<void> {
  if (contents !== "on") return;
  await assertPermitted(queries, actor, "keys:manage");
  const [account] = await queries
    .select({ rule: accounts.contents })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId));
  if (account?.rule?.keep !== "chosen_keys")
    throw invalidParameter(
      "contents",
      "contents can be `on` only in an account that keeps those of chosen keys (PATCH /account). Send `inherit` or `off`.",
    );
}

/** Throws `invalid_parameter` naming models of a request that do not exist, because nobody could use them. */
export function assertModelsExist(
  catalog: { has(id: string, accountId: string): boolean },
  input: Pick<ApiKeyCreate, "models" | "model_tokens_per_minute">,
  accountId: string,
): void {
  const named = {
    models: input.models,
    model_tokens_per_minute: Object.keys(input.model_tokens_per_minute ?? {}),
  };
  for (const [param, models] of Object.entries(named)) {
    const unknown = models?.filter((id) => !catalog.has(id, accountId)) ?? [];
    if (unknown.length === 0) continue;
    throw invalidParameter(param, `There is no model ${unknown.join(", ")}. GET /v1/models lists them.`);
  }
}
