import { statfs } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync } from "node:zlib";
import type { Logger } from "pino";
import type { ApiType } from "#contract/catalog.ts";
import type { Metadata } from "#contract/metadata.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { MasterSecret } from "#gateway/platform/core/console-secret.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { inOwnTurn, longText, nextTurn, yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { isRejectedData } from "#gateway/platform/database/failed-query.ts";
import { contentKeys } from "#gateway/platform/database/schema.ts";
import {
  type ContentOwnSecret,
  type ContentSecret,
  newSecrets,
  sealPart,
  sealSecret,
  secretOf,
} from "./keys.ts";

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
  read(): { text: string; opening: string };
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

/** A killed process loses what it has not written: less than a second. Each write costs time, however little it has. */
const everyMs = 800;
/** How long after the last of them contents that no key could seal are reported as failing. */
const uselessShownMs = 3_600_000;
/** What may wait in this process; more is dropped, and so is what cannot be written. */
const maxWaiting = { contents: 5_000, bytes: 64_000_000 };
/** The last of a disk is for calls: with less than this free, contents are dropped. */
const leastFreeBytes = 100_000_000;
/** One statement writes at most this much. */
const maxWritten = { contents: 100, bytes: 8_000_000 };

const level = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Small tables: for a text of some kilobytes, making larger ones takes longer than using them. */
const compressionOfShort = {
  params: {
    ...level,
    [constants.ZSTD_c_windowLog]: 15,
    [constants.ZSTD_c_hashLog]: 12,
    [constants.ZSTD_c_chainLog]: 12,
  },
};
const compressAside = promisify(zstdCompress);

/** A content as it is written: its columns, and the pieces of its sealed parts in their order. */
interface Sealed {
  row: Omit<NewContent, "weight" | "read"> & {
    atMs: number;
    contentKey: string;
    /** The lengths of the parts. */
    lengths: number[];
  };
  pieces: Buffer[];
}

interface Sources {
  config: MasterSecret & Pick<Config, "databaseUrl" | "dataDir">;
  database: Database;
  log: Logger;
}

export function createContentRecorder({ config, database, log }: Sources): ContentRecorder {
  let waiting: NewContent[] = [];
  let waitingBytes = 0;
  let failingSince: Date | null = null;
  /** Keys that cannot be opened, and since when; each is logged once. */
  const uselessKeys = new Map<string, Date>();
  let lastUselessAt = 0;
  let writing: Promise<void> = Promise.resolve();
  for (const result of ["kept", "dropped"]) counters.contents.expect({ result });

  const drop = (count: number): void => {
    counters.contents.inc({ result: "dropped" }, count);
    failingSince ??= clock.date();
  };

  const dropUnsealed = ({ id, accountId }: ContentKey, count: number): void => {
    counters.contents.inc({ result: "dropped" }, count);
    lastUselessAt = clock.now();
    if (uselessKeys.has(id)) return;
    uselessKeys.set(id, clock.date());
    log.error(
      { account: accountId, contentKey: id },
      "the key of an account's contents cannot be opened, so they are dropped: was AUTH_SECRET replaced?",
    );
  };
  const uselessSince = (): Date | null => {
    if (clock.now() - lastUselessAt > uselessShownMs) uselessKeys.clear();
    return uselessKeys.values().next().value ?? null;
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

  const dropAll = (): void => {
    if (!failingSince)
      log.warn(
        "the disk of the database is full or nearly so: contents of calls are dropped, calls continue",
      );
    drop(waiting.length);
    waiting = [];
    waitingBytes = 0;
  };

  const writeAll = async (): Promise<void> => {
    if (waiting.length > 0 && !(await hasRoom({ config, database }))) return dropAll();
    for (let taken = take(); taken.length > 0; taken = take()) await writeSome(taken);
  };

  const writeSome = async (contents: NewContent[]): Promise<void> => {
    try {
      const { kept, unsealed } = await write({ config, database }, contents);
      counters.contents.inc({ result: "kept" }, kept);
      failingSince = null;
      for (const { key, count } of unsealed) dropUnsealed(key, count);
    } catch (error) {
      // One that cannot be stored takes no other with it.
      if (contents.length > 1 && isRejectedData(error)) {
        for (const content of contents) await writeSome([content]);
        return;
      }
      drop(contents.length);
      log.warn(
        { err: error, contents: contents.length },
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
      return failingSince ?? uselessSince();
    },
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/** Whether the disk of the database has room for contents. How much is free is known only of the data folder. */
async function hasRoom({ config, database }: Omit<Sources, "log">): Promise<boolean> {
  if (database.diskFullSince) return false;
  if (config.databaseUrl !== null) return true;
  const room = await statfs(config.dataDir).catch(() => null);
  return room === null || room.bavail * room.bsize >= leastFreeBytes;
}

type ContentKey = typeof contentKeys.$inferSelect;

/** What became of some contents; the others are of accounts that keep none any more. */
interface Written {
  kept: number;
  /** How many could not be sealed, by the key that cannot be opened. */
  unsealed: { key: ContentKey; count: number }[];
}

/** Writes contents of accounts that still keep some. */
async function write({ config, database }: Omit<Sources, "log">, taken: NewContent[]): Promise<Written> {
  const accounts = [...new Set(taken.map(({ accountId }) => accountId))];
  const keys = await database.queries
    .select()
    .from(contentKeys)
    .where(and(inArray(contentKeys.accountId, accounts), isNotNull(contentKeys.ciphertext)));
  const keyOf = new Map<string, AccountKey>();
  const unsealed: Written["unsealed"] = [];
  for (const key of keys) {
    const secret = secretOf(config, key);
    if (secret) keyOf.set(key.accountId, { id: key.id, secret });
    else unsealed.push({ key, count: taken.filter(({ accountId }) => accountId === key.accountId).length });
  }
  const byId = new Map<string, Sealed>();
  const secrets = newSecrets(taken.length);
  const othersRun = yieldToEventLoop();
  for (const [nth, content] of taken.entries()) {
    const key = keyOf.get(content.accountId);
    const own = secrets[nth];
    if (key && own)
      byId.set(
        content.id,
        content.weight > longText ? await sealLong(content, key, own) : sealShort(content, key, own),
      );
    const pause = othersRun();
    if (pause) await pause;
  }
  const kept = byId.size === 0 ? 0 : await insert(database.queries, [...byId.values()]);
  return { kept, unsealed };
}

/**
 * Writes rows whose key was not erased meanwhile, in one statement: their columns are one parameter, and their bytes
 * another, because a parameter for each value takes as long as the rest of the work. Returns how many were written.
 */
async function insert(queries: Queries, contents: readonly Sealed[]): Promise<number> {
  let start = 1;
  const rows = contents.map(({ row: { lengths, ...row } }) => {
    const [secretAt, openingAt, sealedAt] = lengths.map((length) => {
      start += length;
      return start - length;
    });
    return { ...row, secretAt, openingAt, sealedAt, lengths };
  });
  const bytes = Buffer.concat(contents.flatMap(({ pieces }) => pieces));
  const { rows: written } = await queries.execute<{ count: number }>(sql`
    with given as (select ${bytes}::bytea as bytes), asked as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r ("id" text, "accountId" text, "atMs" float8,
        "requestId" text, "keyId" text, "userId" text, "model" text, "apiType" text, "isStored" boolean,
        "metadata" jsonb, "contentKey" text, "secretAt" int, "openingAt" int, "sealedAt" int, "lengths" int[])
    ), sums as (
      select "contentKey" as id, sum(lengths[3]) as bytes from asked group by 1
    ), locked as (
      select k.id, sums.bytes from content_keys k join sums on sums.id = k.id
      where k.ciphertext is not null order by k.id for no key update of k
    ), counted as (
      update content_keys k set kept_bytes = k.kept_bytes + locked.bytes from locked where k.id = locked.id
      returning k.id
    ), written as (
      insert into contents (id, account_id, at, request_id, key_id, user_id, model, api_type, is_stored, metadata,
        content_key, secret, opening, sealed, size_bytes)
      select r.id, "accountId", to_timestamp("atMs" / 1000), "requestId", "keyId", "userId", model, "apiType",
        "isStored", metadata, "contentKey", substring(bytes from "secretAt" for lengths[1]),
        substring(bytes from "openingAt" for lengths[2]), substring(bytes from "sealedAt" for lengths[3]), lengths[3]
      from asked r join counted on counted.id = "contentKey" cross join given
      -- A run of a worker that was tried again has the same id.
      on conflict (id) do update set at = excluded.at, content_key = excluded.content_key, secret = excluded.secret,
        opening = excluded.opening, sealed = excluded.sealed, size_bytes = excluded.size_bytes
      returning 1
    ) select count(*)::int as count from written`);
  return written[0]?.count ?? 0;
}

interface AccountKey {
  id: string;
  secret: ContentSecret;
}

/** Seals a short content at once, because waiting for what is ready takes time. */
function sealShort(content: NewContent, key: AccountKey, own: ContentOwnSecret): Sealed {
  const { text, opening } = content.read();
  const compressed = zstdCompressSync(text, compressionOfShort);
  return sealedContent(content, key, own, opening, compressed);
}

/** Seals a long content with each step in a turn of its own. */
async function sealLong(content: NewContent, key: AccountKey, own: ContentOwnSecret): Promise<Sealed> {
  await nextTurn();
  const { text, opening } = content.read();
  const bytes = await inOwnTurn(text, (whole) => Buffer.from(whole));
  const compressed = await compressAside(bytes, { params: level });
  await nextTurn();
  return sealedContent(content, key, own, opening, compressed);
}

function sealedContent(
  { read: _, weight: __, ...content }: NewContent,
  key: AccountKey,
  own: ContentOwnSecret,
  opening: string,
  compressed: Buffer,
): Sealed {
  const owner = Buffer.from(content.id);
  const parts = [
    sealSecret(key.secret, owner, own),
    sealPart(own.secret, owner, "opening", Buffer.from(opening)),
    sealPart(own.secret, owner, "text", compressed),
  ];
  const lengths = parts.map((pieces) => pieces.reduce((sum, { length }) => sum + length, 0));
  return { row: { ...content, atMs: clock.now(), contentKey: key.id, lengths }, pieces: parts.flat() };
}
