import type { Logger } from "pino";
import type { Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints } from "#gateway/platform/database/schema.ts";

const batchRows = 200;

/**
 * Reseals custom headers of endpoints that were sealed with the previous master secret, one batch per
 * transaction.
 */
export async function resealHeaders(
  database: Database,
  log: Logger,
  box: Sealer,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = "";
  while (after !== null && !signal.aborted) {
    const afterId: string = after;
    after = await database.transaction(async (queries) => {
      const rows = await queries
        .select({ id: webhookEndpoints.id, headers: webhookEndpoints.headers })
        .from(webhookEndpoints)
        .where(
          and(
            isNotNull(webhookEndpoints.headers),
            sql`${webhookEndpoints.headers} ->> 'keyId' <> ${box.keyId}`,
            gt(webhookEndpoints.id, afterId),
          ),
        )
        .orderBy(asc(webhookEndpoints.id))
        .limit(batchRows)
        .for("no key update", { skipLocked: true });
      for (const { id, headers } of rows) {
        if (headers === null) continue;
        try {
          const sealed = box.seal(box.open(headers, id), id);
          await queries
            .update(webhookEndpoints)
            .set({ headers: { names: headers.names, ...sealed } })
            .where(eq(webhookEndpoints.id, id));
        } catch (error) {
          log.error({ err: error, endpoint: id }, "the headers of a webhook endpoint cannot be opened");
        }
      }
      return rows.at(-1)?.id ?? null;
    });
  }
}

/** The same for the private keys of endpoints' key pairs. */
export async function resealPairs(
  database: Database,
  log: Logger,
  box: Sealer,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = "";
  while (after !== null && !signal.aborted) {
    const afterId: string = after;
    after = await database.transaction(async (queries) => {
      const rows = await queries
        .select({ id: webhookEndpoints.id, pairs: webhookEndpoints.signatureKeys })
        .from(webhookEndpoints)
        .where(
          and(
            sql`exists (select from jsonb_array_elements(${webhookEndpoints.signatureKeys}) pair
              where pair ->> 'keyId' <> ${box.keyId})`,
            gt(webhookEndpoints.id, afterId),
          ),
        )
        .orderBy(asc(webhookEndpoints.id))
        .limit(batchRows)
        .for("no key update", { skipLocked: true });
      for (const { id, pairs } of rows)
        try {
          const signatureKeys = (pairs ?? []).map((pair) => ({
            ...pair,
            ...box.seal(box.open(pair, id), id),
          }));
          await queries.update(webhookEndpoints).set({ signatureKeys }).where(eq(webhookEndpoints.id, id));
        } catch (error) {
          log.error({ err: error, endpoint: id }, "a key pair of a webhook endpoint cannot be opened");
        }
      return rows.at(-1)?.id ?? null;
    });
  }
}
