import type { Endpoint } from "#contract/webhook.ts";
import type { Context } from "#gateway/context.ts";
import { webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { endpointNotFound, liveSecrets, ownEndpoint } from "./find.ts";
import { conditionOf } from "./health.ts";
import { endpointView } from "./view.ts";

/** One endpoint with its health. Throws `endpoint_not_found`. */
export async function getEndpoint(context: Context, accountId: string, id: string): Promise<Endpoint> {
  const { queries } = context.database;
  const [row] = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, id));
  if (!row) throw endpointNotFound();
  const [secrets, more] = await Promise.all([liveSecrets(queries, [id]), conditionOf(queries, [row])]);
  return endpointView(row, secrets.get(id) ?? [], more.get(id));
}
