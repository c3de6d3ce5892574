import { eq } from "drizzle-orm";
import { type ApiKeyCreate, type ApiKeyWithSecret, scopes } from "#contract/account.ts";
import { newId } from "#contract/ids.ts";
import type { Queries } from "#gateway/database/database.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { refuseBeyond } from "./beyond.ts";
import { credentialHash, keyHint, newAccountKey } from "./format.ts";
import { keyView } from "./view.ts";

/**
 * Makes an account key; the answer is the one time that it is readable. `by` is null for the command line.
 * Call it inside a transaction.
 */
export async function createKey(
  queries: Queries,
  accountId: string,
  input: ApiKeyCreate,
  by: Caller | null,
): Promise<ApiKeyWithSecret> {
  const granted = input.scopes ?? [...scopes];
  const models = input.models ?? null;
  const regions = input.regions ?? null;
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  if (by) refuseBeyond(by.actor, { scopes: granted, models, regions, expiresAt }, "body");
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ApiError("invalid_parameter", "expires_at must lie in the future", { param: "expires_at" });
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
    requestsPerMinute: input.requests_per_minute ?? null,
    maxConcurrency: input.max_concurrency ?? null,
    monthlyBudget: input.monthly_budget ?? null,
    expiresAt,
  });
  await recordAudit(queries, {
    accountId,
    actor: by?.actor ?? null,
    action: "key.created",
    targetId: id,
    detail: { name: input.name, scopes: granted },
    ip: by?.ip ?? null,
    requestId: by?.requestId ?? null,
  });
  const [row] = await queries.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new ApiError("internal_error", "The key was not stored.");
  return { ...keyView(row), secret };
}
