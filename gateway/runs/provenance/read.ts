import { addAbortSignal } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { isId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import type { Kept, Manifest, Output, OutputQuery, Provenance } from "#contract/outputs.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { hasFile } from "#gateway/files/storage/remove-files.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { promptIn } from "#gateway/models/catalog/prompt-of.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { idsByKind } from "#gateway/platform/database/account-rows.ts";
import { and, eq, gt, inArray, type PgColumn, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import { hasBytes, isStored, outputKind, outputs, predictions } from "#gateway/platform/database/schema.ts";
import { type KeptRow, readKept } from "./find-outputs.ts";
import { notRead, readManifest } from "./reader.ts";
import type { OutputRow, StoredRow } from "./record.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long one request waits for manifests. Later ones are still read, for the next request. */
const patienceMs = 5_000;

/** Reads in progress in this process, by output. */
const underWay = new Map<string, Promise<Manifest>>();

/**
 * Outputs as this caller may see them, in the given order; outputs without any file are left out. Reads
 * manifests that were not read yet, or shows the known state.
 */
export async function outputViews(
  context: EventsContext,
  actor: Actor,
  rows: readonly OutputRow[],
  kept: ReadonlyMap<string, KeptRow>,
  reads: "manifests" | "what is known" = "manifests",
): Promise<Output[]> {
  const stored = rows.flatMap((row): StoredRow[] => {
    const key = kept.get(row.id)?.key ?? row.key;
    return key === null ? [] : [{ ...row, key }];
  });
  const models = stored.map(({ model }) => model);
  const [read, clearance, makerOf, promptOf] = await Promise.all([
    reads === "manifests" ? withManifests(context, stored) : stored,
    Clearance.of(context, actor, models),
    readMakers(context.database.queries, [...kept.values()]),
    readPrompts(context, stored),
  ]);
  return read.map((row) => {
    const keptRow = kept.get(row.id) ?? null;
    const prompt = keptRow?.prompt ?? promptOf.get(row.runId) ?? null;
    return {
      ...outputView(context, row, keptRow, clearance),
      prompt: clearance.missing(row.model) === null ? prompt : null,
      kept: keptRow && keptView(keptRow, makerOf, clearance),
    };
  });
}

/** Characters of a prompt in a list of files. */
const promptLength = 300;

/** The prompts of the predictions among the runs, shortened, by the run's id. The inputs of other runs are not stored. */
async function readPrompts(
  { database }: EventsContext,
  rows: readonly OutputRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(rows.flatMap((row) => predictionOf(row) ?? []))];
  if (ids.length === 0) return new Map();
  const { id, input } = predictions;
  const prompt = sql<string | null>`left(${promptIn(input)}, ${promptLength})`;
  const found = await database.queries.select({ id, prompt }).from(predictions).where(inArray(id, ids));
  return new Map(found.map((row) => [row.id, row.prompt]));
}

/** The rows with the content of their files' manifests, as far as it could be read in a few seconds. */
export async function withManifests(
  context: EventsContext,
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const patience = new AbortController();
  const over = sleep(patienceMs, notRead, { signal: patience.signal }).catch(() => notRead);
  const read: StoredRow[] = [];
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (const row of rows) {
    if (row.manifest !== null || isOver) read.push(row);
    else read.push({ ...row, manifest: await Promise.race([readOnce(context, row), over]) });
  }
  patience.abort();
  return read;
}

function readOnce(context: EventsContext, row: StoredRow): Promise<Manifest> {
  const known = underWay.get(row.id);
  if (known) return known;
  const reading = readAndKeep(context, row)
    .catch((err: unknown) => {
      context.log.warn({ err, output: row.id }, "the manifest of an output could not be read");
      return notRead;
    })
    .finally(() => underWay.delete(row.id));
  underWay.set(row.id, reading);
  return reading;
}

async function readAndKeep(context: EventsContext, row: StoredRow): Promise<Manifest> {
  const { id, key, contentType, sizeBytes } = row;
  const manifest = await readManifest({ contentType, sizeBytes, bytes: () => bytesOf(context, key) });
  const isFinal = manifest.reason !== "not_read" && manifest.reason !== "reader_missing";
  if (isFinal)
    await context.database.queries
      .update(outputs)
      .set({ manifest })
      // Skips a file that was removed meanwhile.
      .where(and(eq(outputs.id, id), hasFile));
  return manifest;
}

/** The whole object in memory; null if it does not exist. Check the object's size before. */
export async function bytesOf(
  { store }: Pick<EventsContext, "store">,
  key: string,
  left?: AbortSignal,
): Promise<Buffer | null> {
  const object = await store.get(key);
  if (object && left) addAbortSignal(left, object.stream);
  return object && Buffer.concat(await object.stream.toArray());
}

function outputView(
  context: EventsContext,
  row: StoredRow,
  kept: KeptRow | null,
  clearance: Clearance,
): Omit<Output, "kept" | "prompt"> {
  const expiresAt = kept ? readableUntil(kept) : row.expiresAt;
  return {
    id: row.id,
    object: "output",
    run_id: row.runId,
    prediction_id: predictionOf(row),
    position: row.position,
    model: row.model,
    api_type: row.apiType,
    ...clearance.addresses(context, { ...row, expiresAt }),
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    sandbox: row.sandbox,
    provenance: provenanceView(row.manifest, row.sha256),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    keepable: context.config.keepOutputs && context.retention.minutesOf(row.accountId) === null,
    kept_until: kept?.keptUntil?.toISOString() ?? null,
  };
}

function keptView(row: KeptRow, makerOf: (row: KeptRow) => Kept["kept_by"], clearance: Clearance): Kept {
  return {
    kept_at: row.keptAt.toISOString(),
    kept_by: makerOf(row),
    labels: row.labels,
    prompt: clearance.missing(row.model) === null ? row.prompt : null,
    api_type: row.apiType,
    svc_region: row.svcRegion,
  };
}

/**
 * A kept file's URL works for about a day and stays the same for an hour, so that a page that reloads does
 * not load the file again.
 */
export function readableUntil({ keptUntil }: Pick<KeptRow, "keptUntil">): Date {
  const until = Math.ceil(clock.now() / hourMs) * hourMs + dayMs;
  return new Date(Math.min(until, keptUntil?.getTime() ?? until));
}

export function predictionOf({ runId }: Pick<OutputRow, "runId">): string | null {
  return isId("prediction", runId) ? runId : null;
}

export function provenanceView(manifest: Manifest | null, sha256: string | null): Provenance {
  return { ...(manifest ?? notRead), sha256 };
}

/**
 * The account's files that are still stored for their runs, newest first. Manifests are read only for the
 * files of a single run; a longer list shows the known ones and does not wait.
 */
export async function listOutputs(
  context: EventsContext,
  actor: Actor,
  query: OutputQuery,
): Promise<List<Output>> {
  const { accountId } = actor;
  const { queries } = context.database;
  const { prediction_id: runId, metadata, sha256 } = query;
  const { hop, filters } = waysTo(query);
  const page = keyset("output", outputs.id, query, [
    eq(outputs.accountId, accountId),
    isStored,
    gt(outputs.expiresAt, sql`now()`),
    runId === undefined ? undefined : eq(outputs.runId, runId),
    metadata === undefined ? undefined : hasPair(outputs.metadata, metadata),
    sha256 === undefined ? undefined : hasBytes(accountId, sha256),
    ...filters,
  ]);
  const rows = await queries
    .select()
    .from(outputs)
    .where(hop ? inArray(outputs.id, idsByKind(outputs, { accountId, page, ...hop })) : page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const found = listOf(page, rows, (row) => row);
  const list = await withTotal(queries, page, found, (whole) =>
    hop
      ? idsByKind(outputs, { accountId, page: whole, ...hop })
      : sql`select 1 from ${outputs} where ${whole.where}`,
  );
  const kept = await readKept(
    queries,
    list.data.map(({ id }) => id),
  );
  const reads = runId === undefined ? "what is known" : "manifests";
  return { ...list, data: await outputViews(context, actor, list.data, kept, reads) };
}

/**
 * How the database finds the rows of a list: which index columns it skips through, and which filters remain.
 * With an ordinary filter on the skipped columns, PostgreSQL would read their index from its end. Without
 * skipping, it might read the primary key, past every row whose file was removed.
 */
function waysTo(query: OutputQuery) {
  const { prediction_id: runId, user_id: userId, key_id: keyId, metadata, sha256 } = query;
  const values = [query.api_type, query.kind, query.model, query.svc_region];
  const ofKind = (...parts: SQL[]) =>
    parts.map((part, index) => (values[index] === undefined ? undefined : eq(part, values[index])));
  const kind = ofKind(...outputKind);
  const hopOver = (column: PgColumn, value: string) => ({
    among: sql`${isStored} and ${column} is not null`,
    parts: [column],
    wanted: (part?: SQL) => [part && eq(part, value)],
  });
  const ofKey = keyId === undefined ? undefined : eq(outputs.keyId, keyId);
  // A run, a metadata value or a hash has few files, and indexes of their own find them.
  if (runId !== undefined || metadata !== undefined || sha256 !== undefined)
    return { filters: [userId === undefined ? undefined : eq(outputs.userId, userId), ofKey, ...kind] };
  if (userId !== undefined) return { hop: hopOver(outputs.userId, userId), filters: [ofKey, ...kind] };
  if (keyId !== undefined) return { hop: hopOver(outputs.keyId, keyId), filters: kind };
  return { hop: { among: isStored, parts: outputKind, wanted: ofKind }, filters: [] };
}
