import type { AuditAction } from "#contract/audit.ts";
import type { ApiType } from "#contract/catalog.ts";
import { type KeepRequest, keepLimits, type Output, type OutputDetail } from "#contract/outputs.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { assertMayKeep } from "#gateway/access/accounts/retention.ts";
import { hidden } from "#gateway/files/storage/attachment.ts";
import { assertNoneBarred, fileBarred, lockHashes } from "#gateway/files/storage/barred-files.ts";
import {
  newKeptFolder,
  releaseReservation,
  removeReservedFilesOf,
  reserveFiles,
} from "#gateway/files/storage/remove-files.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { promptOf } from "#gateway/models/catalog/prompt-of.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs, outputs, predictions } from "#gateway/platform/database/schema.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import {
  findOutput,
  isKeptNow,
  outputFileRemoved,
  outputNotFound,
} from "#gateway/runs/provenance/find-outputs.ts";
import { outputViews, readableUntil } from "#gateway/runs/provenance/read.ts";
import type { OutputRow, StoredRow } from "#gateway/runs/provenance/record.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { checkInput, confirmation, filesIn, withValueAt } from "#gateway/workspace/presets/input.ts";

/** Characters of a prompt shown next to a file. */
const promptLength = 2_000;

type KeptRow = typeof keptOutputs.$inferSelect;

/**
 * Copies an output into the account's library. For an output that is already there, changes its labels and
 * retention; one that was just removed is restored. Throws `keeping_off`, `shorter_retention`, `output_not_found`,
 * `file_barred`, `payload_purged`, `storage_limit_exceeded`, and as `assertMayLook` and `sourceOf`.
 */
export async function keepOutput(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
  request: KeepRequest,
): Promise<Output> {
  const { actor } = caller;
  const terms = termsOf(context, request);
  const output = await findOutput(context.database.queries, actor.accountId, id);
  await assertMayLook(context, actor, output.model);
  if (output.barred !== null) throw fileBarred(output.barred);
  if (!(await changeKept(context, caller, id, terms))) {
    const { key, expiresAt } = output;
    if (key === null || expiresAt <= clock.date()) throw outputFileRemoved();
    const isNew = await keepNew(context, caller, { ...output, key }, request, terms);
    // Another request has kept the output meanwhile.
    if (!isNew) await changeKept(context, caller, id, terms);
  }
  const { input: _, ...view } = await readOutput(context, actor, id);
  return view;
}

/**
 * An output whose file is stored or kept; a kept one includes the input to run it again. Throws
 * `output_not_found`.
 */
export async function readOutput(context: WorkspaceContext, actor: Actor, id: string): Promise<OutputDetail> {
  const { queries } = context.database;
  const [found] = await queries
    .select({ row: outputs, kept: keptOutputs })
    .from(outputs)
    .leftJoin(keptOutputs, and(eq(keptOutputs.outputId, outputs.id), isKeptNow))
    .where(and(eq(outputs.id, id), eq(outputs.accountId, actor.accountId)));
  if (!found || (!found.kept && found.row.expiresAt <= clock.date())) throw outputNotFound(id);
  const { row, kept } = found;
  const [view] = await outputViews(context, actor, [row], new Map(kept ? [[id, kept]] : []));
  if (!view) throw outputNotFound(id);
  return { ...view, input: kept && view.gated === null ? inputOf(context, kept) : null };
}

/** The input with URLs of the copied files, which a run accepts. */
function inputOf(context: WorkspaceContext, row: KeptRow): OutputDetail["input"] {
  const expiresAt = readableUntil(row);
  let { input } = row;
  for (const { path, key } of row.media)
    input = input && withValueAt(input, [path], fileUrl(context, inputKey(key), { expiresAt }));
  return input;
}

/** Returns false if it is not in the library. */
async function changeKept(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
  terms: Terms,
): Promise<boolean> {
  return context.database.transaction(async (queries) => {
    // First, because a change of the retention locks the account before what is kept.
    await assertMayKeep(queries, context.config, caller.actor.accountId, "A kept output");
    const [row] = await queries
      .select({ labels: keptOutputs.labels, keptUntil: keptOutputs.keptUntil, goesAt: keptOutputs.goesAt })
      .from(keptOutputs)
      .where(and(eq(keptOutputs.outputId, id), eq(keptOutputs.accountId, caller.actor.accountId)))
      .for("update");
    if (!row) return false;
    const isOver = row.keptUntil !== null && row.keptUntil <= clock.date();
    const labels = terms.labels ?? row.labels;
    const before = isOver ? defaultKeptUntil(context) : row.keptUntil;
    const keptUntil = terms.keptUntil === undefined ? before : terms.keptUntil;
    await queries
      .update(keptOutputs)
      .set({ labels, keptUntil, goesAt: null })
      .where(eq(keptOutputs.outputId, id));
    await audit(queries, caller, id, "output.updated", { labels, keptUntil });
    return true;
  });
}

/** Returns false if it is already in the library. */
async function keepNew(
  context: WorkspaceContext,
  caller: Caller,
  output: StoredRow,
  request: KeepRequest,
  terms: Terms,
): Promise<boolean> {
  const { actor } = caller;
  const { id, accountId, model, sizeBytes } = output;
  const source = await sourceOf(context, output, request);
  const { input } = source;
  const hashes = [output.sha256, ...source.media.map(({ sha256 }) => sha256)];
  await assertNoneBarred(context.database.queries, accountId, hashes);
  const { reservation, key, media } = await copyFiles(context, output, source.media);
  const prompt = promptOf(input);
  const labels = terms.labels ?? [];
  const keptUntil = terms.keptUntil === undefined ? defaultKeptUntil(context) : terms.keptUntil;
  const inputBytes = input ? Buffer.byteLength(JSON.stringify(input)) : 0;
  try {
    const isNew = await context.database.transaction(async (queries) => {
      await lockHashes(queries, hashes);
      await assertNoneBarred(queries, accountId, hashes);
      await assertMayKeep(queries, context.config, accountId, "A kept output");
      const made = await queries
        .insert(keptOutputs)
        .values({
          outputId: id,
          accountId,
          model,
          key,
          apiType: source.apiType,
          svcRegion: source.svcRegion,
          input,
          media,
          storedBytes: media.reduce((sum, file) => sum + file.sizeBytes, sizeBytes + inputBytes),
          prompt: prompt?.slice(0, promptLength).toWellFormed() ?? null,
          words: wordsOf(prompt ?? ""),
          labels,
          ...madeBy(actor),
          keptAt: clock.date(),
          keptUntil,
        })
        .onConflictDoNothing()
        .returning({ id: keptOutputs.outputId });
      if (made.length === 0) return false;
      // A missing reservation was removed with the account, which is being deleted.
      if (!(await releaseReservation(queries, reservation))) throw outputFileRemoved();
      await context.storageLimit.assertWithin(queries, accountId);
      await audit(queries, caller, id, "output.kept", { labels, keptUntil, model });
      return true;
    });
    if (!isNew) await dropCopies(context, reservation);
    return isNew;
  } catch (error) {
    await dropCopies(context, reservation);
    throw error;
  }
}

async function audit(
  queries: Queries,
  caller: Caller,
  targetId: string,
  action: AuditAction,
  { labels, keptUntil, model }: { labels: string[]; keptUntil: Date | null; model?: string },
): Promise<void> {
  const until = keptUntil?.toISOString() ?? null;
  const detail = { ...(model !== undefined && { model }), labels, kept_until: until };
  await recordAudit(queries, { ...byCaller(caller), action, targetId, detail });
}

/** The settings in a request; undefined: not given. */
interface Terms {
  labels: string[] | undefined;
  /** Null: for ever. */
  keptUntil: Date | null | undefined;
}

const dayMs = 86_400_000;

/** Throws `keeping_off`, and `invalid_parameter` for invalid labels and retentions. */
function termsOf({ config }: Pick<WorkspaceContext, "config">, request: KeepRequest): Terms {
  if (!config.keepOutputs)
    throw new ApiError(
      "keeping_off",
      "This installation keeps no outputs: its operator has turned the library off. Download the file before it is removed.",
    );
  const { labels, keep_days: days } = request;
  if (days && config.keptDays > 0 && days > config.keptDays)
    throw invalidParameter(
      "keep_days",
      `keep_days must be at most ${config.keptDays}, the longest time for which this installation keeps outputs.`,
    );
  return {
    labels: labels && labelsOf(labels),
    keptUntil: days === undefined ? undefined : keptUntilOf(days ?? config.keptDays),
  };
}

/** The default expiry of a kept file. */
function defaultKeptUntil({ config }: Pick<WorkspaceContext, "config">): Date | null {
  return keptUntilOf(config.keptDays);
}

function keptUntilOf(days: number): Date | null {
  return days === 0 ? null : new Date(clock.now() + days * dayMs);
}

/** Without duplicates and invisible characters. */
function labelsOf(labels: readonly string[]): string[] {
  const clean = labels.map((label) => label.normalize("NFC").replace(hidden, "").trim());
  if (clean.includes("")) throw invalidParameter("labels", "A label needs at least one character.");
  return [...new Set(clean)].slice(0, keepLimits.labels);
}

type Json = Record<string, unknown>;

/** The origin of an output, as far as known, with the files of its input. */
interface Source {
  apiType: ApiType | null;
  svcRegion: string | null;
  input: Json | null;
  media: StoredInput[];
}

/**
 * How an output was made: a prediction has its input; for a sync run the caller may send it. Throws
 * `invalid_parameter` and `input_too_large` for the caller's input.
 */
async function sourceOf(
  { database, config }: WorkspaceContext,
  output: OutputRow,
  { input: given, api_type: givenType }: KeepRequest,
): Promise<Source> {
  const [run] = await database.queries
    .select({
      apiType: predictions.apiType,
      svcRegion: predictions.svcRegion,
      input: predictions.input,
      media: predictions.media,
    })
    .from(predictions)
    .where(and(eq(predictions.id, output.runId), eq(predictions.accountId, output.accountId)));
  if (run) {
    if (given !== undefined)
      throw invalidParameter("input", "The input of a prediction is already stored. Leave input out.");
    const { apiType, svcRegion, input, media } = run;
    const paths = media.map(({ path }) => path);
    return { apiType: apiType as ApiType, svcRegion, input: input && stored(input, paths), media };
  }
  const unknown = { apiType: givenType ?? null, svcRegion: null, input: null, media: [] };
  if (given === undefined) return unknown;
  if (givenType === undefined)
    throw new ApiError("missing_parameter", "Send api_type with the input, to name the operation.", {
      param: "api_type",
    });
  const { model: _, ...input } = given;
  delete input[confirmation];
  checkInput(input);
  const files = filesIn(input, config.publicUrl).map(({ path }) => path);
  return { ...unknown, input: stored(input, files) };
}

/** The input without fields that must be given again for every run, and with null in place of files. */
function stored(input: Json, files: readonly string[]): Json {
  const { [confirmation]: _, ...rest } = withValueAt(input, files, null);
  return rest;
}

interface Copies {
  /** The id of the files' reservation, which lasts until a row owns them. */
  reservation: string;
  key: string;
  media: StoredInput[];
}

interface Copied {
  from: string;
  to: string;
  contentType: string;
  sizeBytes: number;
  sha256: string | null;
}

/**
 * Copies an output and the files of its input as separate objects, byte for byte, through this process but
 * never completely in memory. They are reserved first, so that a process that dies leaves nothing. Throws
 * `payload_purged`, `storage_limit_exceeded`.
 */
async function copyFiles(
  context: WorkspaceContext,
  output: StoredRow,
  media: StoredInput[],
): Promise<Copies> {
  const folder = newKeptFolder(output.id);
  // Saved under the same name as the run's own file.
  const key = `${folder}/${output.key.split("/").slice(-2).join("/")}`;
  const copies = media.map((input, index) => ({ ...input, key: `${folder}/inputs/${index}` }));
  const files: Copied[] = [
    { ...output, from: output.key, to: key },
    ...media.map((input, index) => ({
      ...input,
      from: input.key,
      to: `${folder}/inputs/${index}`,
      sha256: null,
    })),
  ];
  await context.database.transaction(async (queries) => {
    const { accountId } = output;
    const reserved = files.map(({ to, sizeBytes }) => ({ key: to, sizeBytes }));
    await reserveFiles(queries, { id: folder, accountId, files: reserved });
    await context.storageLimit.assertWithin(queries, accountId);
  });
  try {
    for (const file of files) await copy(context, file);
  } catch (error) {
    await dropCopies(context, folder);
    throw error;
  }
  return { reservation: folder, key, media: copies };
}

/** Removes at once the copies that no row will own. Otherwise they would stay for an hour. */
async function dropCopies(context: WorkspaceContext, reservation: string): Promise<void> {
  await removeReservedFilesOf(context, [reservation]).catch((err: unknown) =>
    context.log.warn({ err, reservation }, "copies could not be removed yet"),
  );
}

async function copy(
  { store }: WorkspaceContext,
  { from, to, contentType, sizeBytes, sha256 }: Copied,
): Promise<void> {
  const original = await store.get(from);
  if (!original) throw outputFileRemoved();
  const { stream } = original;
  const written = await store
    .put(to, stream, { contentType, maxBytes: sizeBytes })
    .finally(() => void stream.destroy());
  if (written.sizeBytes !== sizeBytes || (sha256 !== null && written.sha256 !== sha256))
    throw new Error(`the copy ${to} differs from ${from}`);
}

/** Words of a prompt that are searched. */
const maxWords = 400;
const maxLetters = 40;

/** Scripts without spaces between words: each character counts as a word. */
const alone = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
const word = new RegExp(String.raw`${alone}|(?:(?!${alone})[\p{L}\p{N}])+`, "gu");

/** The words of a text in search form: without duplicates, case and accents. */
export function wordsOf(text: string, most: number = maxWords): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const found = new Set<string>();
  for (const [letters] of plain.matchAll(word)) {
    if (found.size >= most) break;
    found.add([...letters].slice(0, maxLetters).join(""));
  }
  return [...found];
}
