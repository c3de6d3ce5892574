import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync } from "node:zlib";
import type { Logger } from "pino";
import type { ApiType } from "#contract/catalog.ts";
import type { Metadata } from "#contract/metadata.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { MasterSecret } from "#gateway/platform/core/console-secret.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { inOwnTurn, longText, yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { and, inArray, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { contentKeys, contents } from "#gateway/platform/database/schema.ts";
import { type ContentSecret, newSecret, sealPart, sealSecret, secretOf } from "./keys.ts";

/** One content, before it is written. */
export interface NewContent {
  /** The id of the run. */
  id: string;
  accountId: string;
  requestId: string | null;
  keyId: string | null;
  userId: string | null;
  model: string;
  apiType: ApiType;
  isStored: boolean;
  metadata: Metadata | null;
  /** Roughly how many bytes it holds in memory. */
  weight: number;
  /** Its text and first words. Called when it is written, because making them takes time. */
  read(): Promise<{ text: string; opening: string }>;
}

/** Writes contents a moment after their answers. No answer waits for it. */
export interface ContentRecorder {
  add(content: NewContent): void;
  /** Writes what waits, so that it can be read. */
  flush(): Promise<void>;
  /** Since when contents could not be written; null while they can. */
  readonly failingSince: Date | null;
  close(): Promise<void>;
}

const everyMs = 500;
/** What may wait in this process; more is dropped, and so is what cannot be written. */
const maxWaiting = { contents: 5_000, bytes: 64_000_000 };
/** One statement writes at most this much. */
const maxWritten = { contents: 100, bytes: 8_000_000 };

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compressAside = promisify(zstdCompress);

type Row = typeof contents.$inferInsert;

interface Sources {
  config: MasterSecret;
  database: Database;
  log: Logger;
}

export function createContentRecorder({ config, database, log }: Sources): ContentRecorder {
  let waiting: NewContent[] = [];
  let waitingBytes = 0;
  let failingSince: Date | null = null;
  let writing: Promise<void> = Promise.resolve();
  for (const result of ["kept", "dropped"]) counters.contents.expect({ result });

  const drop = (count: number): void => {
    counters.contents.inc({ result: "dropped" }, count);
    failingSince ??= clock.date();
  };

  const take = (): NewContent[] => {
    const taken: NewContent[] = [];
    let bytes = 0;
    for (const content of waiting) {
      if (taken.length >= maxWritten.contents || (taken.length > 0 && bytes > maxWritten.bytes)) break;
      taken.push(content);
      bytes += content.weight;
    }
    waiting = waiting.slice(taken.length);
    waitingBytes -= bytes;
    return taken;
  };

  const writeAll = async (): Promise<void> => {
    for (let taken = take(); taken.length > 0; taken = take())
      try {
        const kept = await write({ config, database }, taken);
        counters.contents.inc({ result: "kept" }, kept);
        failingSince = null;
      } catch (error) {
        drop(taken.length);
        log.warn(
          { err: error, contents: taken.length },
          "contents of calls could not be written and are dropped",
        );
      }
  };

  const flush = (): Promise<void> => {
    if (waiting.length > 0) writing = writing.then(writeAll);
    return writing;
  };
  const timer = setInterval(flush, everyMs).unref();
  return {
    add(content) {
      if (waiting.length >= maxWaiting.contents || waitingBytes + content.weight > maxWaiting.bytes) {
        drop(1);
        return;
      }
      waiting.push(content);
      waitingBytes += content.weight;
    },
    flush,
    get failingSince() {
      return failingSince;
    },
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/** Writes contents of accounts that still keep some. Returns how many. */
async function write({ config, database }: Omit<Sources, "log">, taken: NewContent[]): Promise<number> {
  const accounts = [...new Set(taken.map(({ accountId }) => accountId))];
  const keys = await database.queries
    .select()
    .from(contentKeys)
    .where(and(inArray(contentKeys.accountId, accounts), isNotNull(contentKeys.ciphertext)));
  const keyOf = new Map(
    keys.flatMap((key) => {
      const secret = secretOf(config, key);
      return secret ? [[key.accountId, { id: key.id, secret }] as const] : [];
    }),
  );
  const byId = new Map<string, Row>();
  const othersRun = yieldToEventLoop();
  for (const content of taken) {
    const key = keyOf.get(content.accountId);
    if (key) byId.set(content.id, await rowOf(content, key));
    await othersRun();
  }
  const rows = [...byId.values()];
  if (rows.length === 0) return 0;
  return database.transaction(async (queries) => {
    const sizes = [...Map.groupBy(rows, ({ contentKey }) => contentKey)].map(
      ([id, ofKey]) => sql`(${id}, ${ofKey.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)}::bigint)`,
    );
    // Locks the keys: one that is erased now is erased after these rows, or they are not written.
    const { rows: current } = await queries.execute<{ id: string }>(sql`
      with w (id, bytes) as (values ${sql.join(sizes, sql`, `)}), locked as (
        select k.id, w.bytes from content_keys k join w on w.id = k.id
        where k.ciphertext is not null order by k.id for no key update of k
      )
      update content_keys k set kept_bytes = k.kept_bytes + locked.bytes from locked where k.id = locked.id returning k.id`);
    const ids = new Set(current.map(({ id }) => id));
    const readable = rows.filter(({ contentKey }) => ids.has(contentKey));
    if (readable.length > 0)
      // A run of a worker that was tried again has the same id.
      await queries.insert(contents).values(readable).onConflictDoUpdate({ target: contents.id, set: again });
    return readable.length;
  });
}

const again = Object.fromEntries(
  (["at", "contentKey", "secret", "opening", "sealed", "sizeBytes"] as const).map((name) => [
    name,
    sql.raw(`excluded.${contents[name].name}`),
  ]),
);

async function rowOf(
  { read, weight: _, ...content }: NewContent,
  key: { id: string; secret: ContentSecret },
): Promise<Row> {
  const { id } = content;
  const { text, opening } = await read();
  const bytes = await inOwnTurn(text, (whole) => Buffer.from(whole));
  const compressed =
    bytes.length > longText ? await compressAside(bytes, compression) : zstdCompressSync(bytes, compression);
  const secret = newSecret();
  const sealed = await inOwnTurn(compressed, (whole) => sealPart(secret, id, "text", whole));
  return {
    ...content,
    at: clock.date(),
    contentKey: key.id,
    secret: sealSecret(key.secret, id, secret),
    opening: sealPart(secret, id, "opening", Buffer.from(opening)),
    sealed,
    sizeBytes: sealed.length,
  };
}
