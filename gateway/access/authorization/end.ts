import type { ConnectionEnd } from "#contract/connection-constants.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";
import type { Found } from "./find.ts";

/** Where a request of a client comes from, for the audit log. */
export interface Sender {
  ip: string;
  requestId: string;
}

/** Ends a connection, and all that was issued from it, in every process. Nobody asked for it in the console. */
export async function endConnection(
  queries: Queries,
  { key, connection }: Found,
  because: ConnectionEnd,
  sender: Sender,
): Promise<void> {
  await queries.update(apiKeys).set({ revokedAt: clock.date() }).where(eq(apiKeys.id, key.id));
  await queries.update(connections).set({ endedBecause: because }).where(eq(connections.keyId, key.id));
  await recordAudit(queries, {
    accountId: key.accountId,
    actor: { kind: "key", id: key.id, name: key.name, userId: key.userId },
    action: "connection.ended",
    targetId: key.id,
    detail: { name: key.name, reason: because, client_id: connection.clientId },
    ...sender,
  });
}
