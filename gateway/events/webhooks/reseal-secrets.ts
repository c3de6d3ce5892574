import type { Logger } from "pino";
import type { Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, isNotNull, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";

const batchRows = 200;

/**
 * Reseals what was sealed with the previous master secret: the secrets of endpoints, their custom headers and
 * the private keys of their pairs. Afterwards AUTH_SECRET_PREVIOUS can be removed from the settings. Each batch
 * is one transaction: after an interruption the next start reseals the remaining rows.
 */
export async function resealSecrets(
  database: Database,
  log: Logger,
  { box, headerBox, pairBox }: { box: Sealer; headerBox: Sealer; pairBox: Sealer },
  signal: AbortSignal,
): Promise<void> {
  const inBatches = <Row extends { id: string }>(kind: Sealed<Row>) =>
    resealInBatches(database, log, kind, signal);
  await inBatches(headersSealedBy(headerBox));
  await inBatches(pairsSealedBy(pairBox));
  const { resealed, unreadable } = await inBatches(secretsSealedBy(box));
  if (resealed + unreadable > 0)
    log.info({ resealed, unreadable }, "webhook secrets were resealed with the current AUTH_SECRET");
}

/** Rows with a sealed value. */
interface Sealed<Row extends { id: string }> {
  /** Locks the next rows whose value has another seal. */
  lock(queries: Queries, afterId: string): Promise<Row[]>;
  /** Throws if the value cannot be opened. */
  reseal(queries: Queries, row: Row): Promise<void>;
  /** The log message if a value cannot be opened. */
  problem: string;
}

async function resealInBatches<Row extends { id: string }>(
  database: Database,
  log: Logger,
  { lock, reseal, problem }: Sealed<Row>,
  signal: AbortSignal,
): Promise<{ resealed: number; unreadable: number }> {
  let resealed = 0;
  let unreadable = 0;
  let after: string | null = "";
  while (after !== null && !signal.aborted) {
    const afterId: string = after;
    after = await database.transaction(async (queries) => {
      const rows = await lock(queries, afterId);
      for (const row of rows)
        try {
          await reseal(queries, row);
          resealed += 1;
        } catch (error) {
          log.error({ err: error, id: row.id }, problem);
          unreadable += 1;
        }
      return rows.at(-1)?.id ?? null;
    });
  }
  return { resealed, unreadable };
}

function secretsSealedBy(box: Sealer): Sealed<typeof webhookSecrets.$inferSelect> {
  return {
    lock: (queries, afterId) =>
      queries
        .select()
        .from(webhookSecrets)
        .where(and(ne(webhookSecrets.keyId, box.keyId), gt(webhookSecrets.id, afterId)))
        .orderBy(asc(webhookSecrets.id))
        .limit(batchRows)
        .for("update", { skipLocked: true }),
    async reseal(queries, row) {
      const sealed = box.seal(box.open(row, row.endpointId), row.endpointId);
      await queries.update(webhookSecrets).set(sealed).where(eq(webhookSecrets.id, row.id));
    },
    problem: "a webhook secret cannot be opened",
  };
}

function headersSealedBy(box: Sealer): Sealed<typeof webhookEndpoints.$inferSelect> {
  return {
    lock: (queries, afterId) =>
      lockEndpoints(
        queries,
        afterId,
        and(
          isNotNull(webhookEndpoints.headers),
          sql`${webhookEndpoints.headers} ->> 'keyId' <> ${box.keyId}`,
        ),
      ),
    async reseal(queries, { id, headers }) {
      if (headers === null) return;
      const sealed = { names: headers.names, ...box.seal(box.open(headers, id), id) };
      await queries.update(webhookEndpoints).set({ headers: sealed }).where(eq(webhookEndpoints.id, id));
    },
    problem: "the headers of a webhook endpoint cannot be opened",
  };
}

function pairsSealedBy(box: Sealer): Sealed<typeof webhookEndpoints.$inferSelect> {
  return {
    lock: (queries, afterId) =>
      lockEndpoints(
        queries,
        afterId,
        sql`exists (select from jsonb_array_elements(${webhookEndpoints.signatureKeys}) pair
          where pair ->> 'keyId' <> ${box.keyId})`,
      ),
    async reseal(queries, { id, signatureKeys: pairs }) {
      const signatureKeys = (pairs ?? []).map((pair) => ({ ...pair, ...box.seal(box.open(pair, id), id) }));
      await queries.update(webhookEndpoints).set({ signatureKeys }).where(eq(webhookEndpoints.id, id));
    },
    problem: "a key pair of a webhook endpoint cannot be opened",
  };
}

function lockEndpoints(queries: Queries, afterId: string, where: ReturnType<typeof and>) {
  return queries
    .select()
    .from(webhookEndpoints)
    .where(and(where, gt(webhookEndpoints.id, afterId)))
    .orderBy(asc(webhookEndpoints.id))
    .limit(batchRows)
    .for("no key update", { skipLocked: true });
}
