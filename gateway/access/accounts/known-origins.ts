import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { credentialChannel } from "./credentials.ts";

/** How long the origins are kept in memory: changes are notified, this bounds the effect of a lost notice and of an expiry. */
const freshMs = 30_000;
/** While the database is away it is asked this often. */
const againMs = 1_000;
/** More are not read: a preflight is answered for these. */
const maxOrigins = 100_000;

/** The origins that keys name, so that a preflight, which carries no key, costs no query. */
export interface KnownOrigins {
  /** Whether a key that works names it. */
  has(origin: string): Promise<boolean>;
  close(): void;
}

/** They are read when the first request of a page comes, and again after a key has changed. */
export async function openKnownOrigins(database: Database, log: Logger): Promise<KnownOrigins> {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  /** Counts the notices: what was read before one of them is read again. */
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
        // Those of before stay.
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
