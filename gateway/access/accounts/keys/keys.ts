import { type ApiKey, type ApiKeyUpdate, type ApiKeyWithSecret, keyRoutes } from "#contract/accounts/keys.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { checkedBudgets, checkedTaskBudget } from "#gateway/billing/budgets/check.ts";
import { readUsedThisMonth, usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { audited } from "../audit.ts";
import { checkedNetworks } from "../networks/networks.ts";
import { tokenRatesIn } from "../token-rates.ts";
import { assertMayChoose, assertModelsExist, createKey, originsOf } from "./create.ts";
import { credentialHash, keyHint, newAccountKey } from "./format.ts";
import { assertWithinGrant } from "./grant.ts";
import {
  assertMayGrantBudget,
  assertMayGrantRates,
  assertMayGrantTokens,
  assertMayManage,
  assertNotCapped,
  lockKeys,
} from "./made-keys.ts";
import { assertMayAnswer, listKeys, lockKey } from "./owner.ts";
import { type KeyRow, keyViews } from "./view.ts";

/**
 * Everybody who runs operations has their own keys; service keys and other people's keys need `keys:manage`,
 * which the verbs check.
 */
export function installKeys(app: App, context: AccessContext): void {
  serve(app, context, keyRoutes, {
    "GET /keys": ({ caller, query }) => listKeys(context, caller.actor, query),
    "POST /keys": async ({ caller, body }) => {
      const { accountId } = caller.actor;
      assertModelsExist(context.catalog, body, accountId);
      // The transaction reads the usage of ended keys, so this process first writes what it has metered.
      await context.meter.flush();
      const key = await context.database.transaction((tx) =>
        createKey(tx, accountId, body, { ...caller, config: context.config }),
      );
      context.origins.forget();
      return key;
    },
    "POST /keys/{id}/rotate": ({ caller, params, body }) =>
      rotateKey(context, caller, params.id, body.grace_seconds ?? 0),
    "PATCH /keys/{id}": (request) => updateKey(context, request.caller, request.params.id, request.body),
    "DELETE /keys/{id}": (request) => revokeKey(context, request.caller, request.params.id),
  });
}

/**
 * Gives a key a new secret; the old one stays valid for `graceSeconds`. Throws `key_not_found`, and as
 * `assertWithinGrant` and `assertMayManage`.
 */
async function rotateKey(
  context: AccessContext,
  caller: Caller,
  id: string,
  graceSeconds: number,
): Promise<ApiKeyWithSecret> {
  const secret = newAccountKey();
  await context.meter.flush();
  const key = await audited(context, caller, "key.rotated", async (queries) => {
    const old = await lockKey(queries, caller.actor, id);
    if (old.userId !== null && old.userId !== caller.actor.userId)
      throw new ApiError(
        "user_session_required",
        "Only its member can rotate a personal key, because only they may see the new secret. You can revoke the key.",
      );
    assertWithinGrant(caller.actor, old, "stored");
    await assertMayManage(queries, context.config, caller.actor, old);
    const [row] = await queries
      .update(apiKeys)
      .set({
        hint: keyHint(secret),
        secretHash: credentialHash(secret),
        previousSecretHash: old.secretHash,
        previousExpiresAt: new Date(clock.now() + graceSeconds * 1000),
      })
      .where(eq(apiKeys.id, id))
      .returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key.");
    // Read before the commit: an answer that fails after the commit would lose the new secret.
    const [view] = await keyViews(queries, [row], await readUsedThisMonth(queries, [row]));
    return { target: id, detail: { grace_seconds: graceSeconds }, result: view as ApiKey };
  });
  context.credentials.forget(id);
  return { ...key, secret };
}

/**
 * Changes the rates and places of a key, its budgets, its origins, its networks, what is kept of its calls or the person
 * responsible for it; effective at once in this process and within a second in others. Throws `key_not_found`, and
 * as `assertModelsExist`, `assertWithinGrant`, `assertMayManage`, `assertMayGrantTokens`, `assertMayGrantBudget` and
 * `assertMayChoose`.
 */
async function updateKey(
  context: AccessContext,
  caller: Caller,
  id: string,
  input: ApiKeyUpdate,
): Promise<ApiKey> {
  const { accountId } = caller.actor;
  assertModelsExist(context.catalog, input, accountId);
  await context.meter.flush();
  const updated = await audited(context, caller, "key.updated", async (queries) => {
    await lockKeys(queries, accountId);
    const old = await lockKey(queries, caller.actor, id);
    const changes = await keyChanges(queries, context, caller.actor, old, input);
    const [row] = await queries.update(apiKeys).set(changes).where(eq(apiKeys.id, id)).returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key.");
    return { target: id, detail: { name: row.name, ...input }, result: row };
  });
  context.credentials.forget(id);
  context.origins.forget();
  const used = await usedThisMonth(context, [updated]);
  const [view] = await keyViews(context.database.queries, [updated], used);
  return view as ApiKey;
}

/** The columns that a change of a locked key sets. Throws as `updateKey`. */
export async function keyChanges(
  queries: Queries,
  { config }: Pick<AccessContext, "config">,
  actor: Actor,
  old: KeyRow,
  input: ApiKeyUpdate,
): Promise<Partial<typeof apiKeys.$inferInsert>> {
  assertWithinGrant(actor, old, "stored");
  await assertMayManage(queries, config, actor, old);
  const { monthly_budget: monthlyBudget, answered_by: answeredBy } = input;
  const allowedOrigins = input.allowed_origins === undefined ? undefined : originsOf(input.allowed_origins);
  if (allowedOrigins !== undefined) assertWithinGrant(actor, { ...old, allowedOrigins }, "body");
  const networks = input.networks === undefined ? undefined : checkedNetworks(input.networks, "networks");
  if (networks !== undefined) assertWithinGrant(actor, { ...old, networks }, "body");
  const budgets = input.budgets === undefined ? undefined : checkedBudgets(input.budgets, config.currency);
  const taskBudget =
    input.task_budget === undefined ? undefined : checkedTaskBudget(input.task_budget, config.currency);
  if (taskBudget !== undefined) await assertNotCapped(queries, actor);
  const rates = tokenRatesIn(input);
  if (Object.keys(rates).length > 0) await assertMayGrantTokens(queries, actor, old, { ...old, ...rates });
  const { requests_per_minute: requestsPerMinute, max_concurrency: maxConcurrency } = input;
  const perMinute = {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  };
  if (Object.keys(perMinute).length > 0)
    await assertMayGrantRates(queries, config, actor, old, { ...old, ...perMinute });
  await assertMayGrantBudget(queries, actor, old, {
    ...(monthlyBudget !== undefined && { monthlyBudget }),
    ...(budgets !== undefined && { budgets }),
  });
  await assertMayChoose(queries, actor, input.contents);
  if (answeredBy !== undefined) await assertMayAnswer(queries, actor, old, answeredBy);
  return {
    ...rates,
    ...perMinute,
    ...(monthlyBudget !== undefined && { monthlyBudget }),
    ...(budgets !== undefined && { budgets }),
    ...(taskBudget !== undefined && { taskBudget }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    ...(networks !== undefined && { networks }),
    ...(input.contents !== undefined && { contents: input.contents }),
  };
}

/** Revokes a key; this process rejects it at once, others within a second. Throws `key_not_found`. */
async function revokeKey(context: AccessContext, caller: Caller, id: string): Promise<Deleted> {
  await audited(context, caller, "key.revoked", async (queries) => {
    const { name } = await lockKey(queries, caller.actor, id);
    await queries.update(apiKeys).set({ revokedAt: clock.date() }).where(eq(apiKeys.id, id));
    return { target: id, detail: { name }, result: null };
  });
  context.credentials.forget(id);
  context.origins.forget();
  return deleted("api_key", id);
}
