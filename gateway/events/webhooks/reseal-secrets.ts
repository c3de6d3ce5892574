import type { Logger } from "pino";
import type { Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, ne } from "#gateway/platform/database/drizzle.ts";
import { webhookSecrets } from "#gateway/platform/database/schema.ts";
import { resealHeaders, resealPairs } from "./reseal-headers.ts";

const batchRows = 200;

type SecretRow = typeof webhookSecrets.$inferSelect;

/**
 * Reseals secrets sealed with the previous master secret, so that AUTH_SECRET_PREVIOUS can be removed from
 * the settings afterwards. Each batch is one transaction: after an interruption the next start does the rest.
 */
export async function resealSecrets(
  database: Database,
  log: Logger,
  { box, headerBox, pairBox }: { box: Sealer; headerBox: Sealer; pairBox: Sealer },
  signal: AbortSignal,
): Promise<void> {
  await resealHeaders(database, log, headerBox, signal);
  await resealPairs(database, log, pairBox, signal);
  let resealed = 0;
  let unreadable = 0;
  let after: string | null = "";
  while (after !== null && !signal.aborted) {
    const afterId: string = after;
    after = await database.transaction(async (queries) => {
      const rows = await lockBatch(queries, box, afterId);
      for (const row of rows) {
        if (await reseal(queries, log, box, row)) resealed += 1;
        else unreadable += 1;
      }
      return rows.at(-1)?.id ?? null;
    });
  }
  if (resealed + unreadable > 0)
    log.info({ resealed, unreadable }, "webhook secrets were resealed with the current AUTH_SECRET");
}

function lockBatch(queries: Queries, box: Sealer, afterId: string): Promise<SecretRow[]> {
  return queries
    .select()
    .from(webhookSecrets)
    .where(and(ne(webhookSecrets.keyId, box.keyId), gt(webhookSecrets.id, afterId)))
    .orderBy(asc(webhookSecrets.id))
    .limit(batchRows)
    .for("update", { skipLocked: true });
}

async function reseal(queries: Queries, log: Logger, box: Sealer, row: SecretRow): Promise<boolean> {
  let secret: string;
  try {
    secret = box.open(row, row.endpointId);
  } catch (error) {
    log.error({ err: error }, "a webhook secret cannot be opened");
    return false;
  }
  await queries
    .update(webhookSecrets)
    .set(box.seal(secret, row.endpointId))
    .where(eq(webhookSecrets.id, row.id));
  return true;
}
