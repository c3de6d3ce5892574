import type { EndpointCreate } from "#contract/webhook.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, type webhookEndpoints } from "#gateway/platform/database/schema.ts";

type Filters = Pick<typeof webhookEndpoints.$inferInsert, "models" | "keyIds">;

/**
 * The columns of the filters in a request. Keys must belong to the account, revoked ones included; any model
 * is accepted, because it may be added later. Throws `invalid_parameter`.
 */
export async function filterColumns(
  queries: Queries,
  accountId: string,
  { models, keys }: Pick<EndpointCreate, "models" | "keys">,
): Promise<Filters> {
  if (keys) await assertOwnKeys(queries, accountId, keys);
  return { ...(models !== undefined && { models }), ...(keys !== undefined && { keyIds: keys }) };
}

async function assertOwnKeys(queries: Queries, accountId: string, ids: string[]): Promise<void> {
  const rows = await queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, ids)));
  const own = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !own.has(id));
  if (unknown !== undefined)
    throw new ApiError("invalid_parameter", `This account has no key ${unknown}.`, { param: "keys" });
}

/** The facts of an event that endpoints can filter by. */
export interface EventSource {
  model: string;
  keyId: string | null;
}

/** Whether an endpoint wants the events of this model and key; events without either pass every filter. */
export function passesFilters(
  { models, keyIds }: { models: string[] | null; keyIds: string[] | null },
  source: EventSource | undefined,
): boolean {
  if (!source) return true;
  if (models && !models.includes(source.model)) return false;
  return !keyIds || (source.keyId !== null && keyIds.includes(source.keyId));
}
