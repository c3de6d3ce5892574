import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { credentialChannel } from "./credentials.ts";

/**
 * How long origins are cached: changes are notified; this limits the effect of a lost notification and of an
 * expiry.
 */
const freshMs = 30_000;
/** How often reading is retried while the database is unavailable. */
const againMs = 1_000;
/** At most this many origins are read. Preflights from further ones are refused. */
const maxOrigins = 100_000;

/** The allowed origins of all keys, cached so that a preflight, which carries no key, costs no query. */
export interface KnownOrigins {
  /** Whether an active key allows this origin. */
  has(origin: string): Promise<boolean>;
  close(): void;
}

/** Reads the origins at the first request of a page, and again after a key has changed. */
export async function openKnownOrigins(database: Database, log: Logger): Promise<KnownOrigins> {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  /** Counts notifications: origins read before the last one are read again. */
  let changes = 0;
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    const then = changes;
    const { rows } = await database.queries.execute<{ origin: string }>(sql`
      select distinct unnest(allowed_origins) as origin from api_keys
      where allowed_origins is not null and revoked_at is null and (expires_at is null or expires_at > now())
      limit ${maxOrigins}`);
    known = new Set(rows.map(({ origin }) => origin));
    readAt = then === changes ? startedAt : Number.NEGATIVE_INFINITY;
  };
  const refresh = (): Promise<void> => {
    reading ??= read()
      .catch((error: unknown) => {
        // Until the next try the previously read origins stay in use.
        readAt = performance.now() - freshMs + againMs;
        log.warn({ err: error }, "the origins of keys could not be read");
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const stopListening = await database.listen(credentialChannel, () => {
    changes += 1;
    readAt = Number.NEGATIVE_INFINITY;
  });

  return {
    async has(origin) {
      if (performance.now() - readAt > freshMs) await refresh();
      return known.has(origin);
    },
    close: () => void stopListening(),
  };
}
