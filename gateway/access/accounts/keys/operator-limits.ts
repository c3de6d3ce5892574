import {
  type OperatorKey,
  type OperatorKeyLimitsUpdate,
  operatorKeyRoutes,
} from "#contract/operator/keys.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { recordAudit } from "../audit.ts";

/** For operators: limits a single key that loads the system. Members see that with the key and in the audit log. */
export function installOperatorKeys(app: App, context: AccessContext): void {
  serve(app, context, operatorKeyRoutes, {
    "GET /operator/keys/{id}": ({ params }) => readKeyForOperator(context, params.id),
    "PUT /operator/keys/{id}/limits": ({ caller, params, body }) =>
      limitKey(context, caller, params.id, body),
  });
}

/** Throws `key_not_found`. */
async function readKeyForOperator({ database, config }: AccessContext, id: string): Promise<OperatorKey> {
  const [row] = await database.queries
    .select({ key: apiKeys, accountName: accounts.name })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.id, id));
  if (!row) throw noSuchKey();
  const { key, accountName } = row;
  return {
    id,
    object: "operator.key",
    name: key.name,
    account_id: key.accountId,
    account_name: accountName,
    requests_per_minute: key.requestsPerMinute ?? config.requestsPerMinute,
    max_concurrency: key.maxConcurrency ?? config.maxConcurrency,
    operator_limits: key.operatorLimits,
  };
}

/**
 * Limits a key besides its own limits, in every process within a second. Without a limit the operator's words go
 * too. Throws `key_not_found`.
 */
async function limitKey(
  context: AccessContext,
  { actor, ip, requestId }: Caller,
  id: string,
  { requests_per_minute: perMinute = null, max_concurrency: places = null, reason }: OperatorKeyLimitsUpdate,
): Promise<OperatorKey> {
  const limits =
    perMinute === null && places === null
      ? null
      : { requests_per_minute: perMinute, max_concurrency: places, reason: reason.trim() };
  await context.database.transaction(async (queries) => {
    const [key] = await queries.select().from(apiKeys).where(eq(apiKeys.id, id)).for("update");
    if (!key || key.revokedAt) throw noSuchKey();
    await queries.update(apiKeys).set({ operatorLimits: limits }).where(eq(apiKeys.id, id));
    await recordAudit(queries, {
      ...{ actor, ip, requestId, accountId: key.accountId, action: "key.limits_updated", targetId: id },
      detail: {
        ...{ name: key.name, reason: reason.trim() },
        ...{ requests_per_minute: perMinute, max_concurrency: places },
      },
    });
  });
  context.credentials.forget(id);
  return readKeyForOperator(context, id);
}

function noSuchKey(): ApiError {
  return new ApiError("key_not_found", "There is no such key, or it was revoked.", { param: "id" });
}
