import { isId } from "#contract/ids.ts";
import { presetLimits } from "#contract/presets.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, inArray, lte } from "#gateway/platform/database/drizzle.ts";
import { presets, presetVersions, uploads } from "#gateway/platform/database/schema.ts";
import type { KeptMedia } from "#gateway/platform/database/tables/workspace.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";

type Json = Record<string, unknown>;

/** Presets do not store this confirmation, because the caller must give it again for every run. */
export const confirmation = "person_rights_confirmed";

/** Throws for fields that a preset's input must not contain; an incomplete input may be saved. */
export function checkInput(input: Record<string, unknown>): void {
  const refuse = (name: string, why: string) => invalidParameter(`input.${name}`, why);
  if (confirmation in input)
    throw refuse(
      confirmation,
      `${confirmation} must be sent with each request and is never saved. Leave it out.`,
    );
  if ("model" in input) throw refuse("model", "Name the model beside the input, not in it.");
  if (Buffer.byteLength(JSON.stringify(input)) > presetLimits.inputBytes)
    throw new ApiError(
      "input_too_large",
      `A saved input has at most ${presetLimits.inputBytes.toLocaleString("en")} bytes. Use uploads instead of inline files.`,
      { param: "input" },
    );
}

/** An input in stored form, with data about its files. */
type StoredInput = Pick<typeof presets.$inferInsert, "input" | "media" | "mediaExpiresAt">;

/** When each of these uploads expires; unusable ones are left out. */
export async function usableUploads(
  queries: Queries,
  accountId: string,
  media: readonly KeptMedia[],
): Promise<Map<string, Date>> {
  const ids = [...new Set(media.map(({ upload }) => upload))].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await queries
    .select({ id: uploads.id, expiresAt: uploads.objectExpiresAt })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.id, ids),
        eq(uploads.status, "verified"),
        gt(uploads.objectExpiresAt, clock.date()),
      ),
    );
  return new Map(rows.flatMap(({ id, expiresAt }) => (expiresAt ? [[id, expiresAt]] : [])));
}

/**
 * The input as a preset stores it: without files, except references to usable uploads, which are removed when
 * the uploads expire. So a preset neither contains a file nor extends a file's life.
 */
export async function storedInput(
  { config }: Pick<WorkspaceContext, "config">,
  queries: Queries,
  accountId: string,
  input: Json,
): Promise<StoredInput> {
  const named = filesIn(input, config.publicUrl);
  return withoutGone(input, named, await usableUploads(queries, accountId, named));
}

/** The stored input without the files that are not among these usable uploads. */
export function withoutGone(
  input: Json,
  media: readonly KeptMedia[],
  usable: ReadonlyMap<string, Date>,
): StoredInput {
  const kept = media.map(({ path, upload }) => ({
    path,
    upload: upload !== null && usable.has(upload) ? upload : null,
  }));
  const gone = kept.filter(({ upload }) => upload === null).map(({ path }) => path);
  const ends = kept.flatMap(({ upload }) => usable.get(upload ?? "")?.getTime() ?? []);
  return {
    input: withValueAt(input, gone, null),
    media: kept,
    mediaExpiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  };
}

/** A stored input without unusable files, and the pointers of all files. */
export async function usableInput(
  queries: Queries,
  accountId: string,
  { input, media }: { input: Json; media: readonly KeptMedia[] },
) {
  const usable = await usableUploads(queries, accountId, media);
  const places = media.map(({ path, upload }) => ({
    path,
    kept_until: usable.get(upload ?? "")?.toISOString() ?? null,
  }));
  const gone = places.filter(({ kept_until: until }) => until === null).map(({ path }) => path);
  return { input: withoutAt(input, gone), media: places, gone };
}

const batchSize = 100;

/** Removes references to expired files from presets and their versions. */
export const presetMediaSweep: Sweep = {
  kind: "preset_media",
  async run(context) {
    const more = [await sweepPresets(context), await sweepVersions(context)];
    return more.includes(true);
  },
  oldestDue: () =>
    "select least((select min(media_expires_at) from presets), (select min(media_expires_at) from preset_versions))",
};

function sweepPresets({ database }: Pick<WorkspaceContext, "database">): Promise<boolean> {
  return database.transaction(async (queries) => {
    const rows = await queries
      .select()
      .from(presets)
      .where(lte(presets.mediaExpiresAt, clock.date()))
      .orderBy(presets.mediaExpiresAt)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    for (const { id, accountId, input, media } of rows) {
      const usable = await usableUploads(queries, accountId, media);
      await queries
        .update(presets)
        .set(withoutGone(input, media, usable))
        .where(eq(presets.id, id));
    }
    return rows.length === batchSize;
  });
}

function sweepVersions({ database }: Pick<WorkspaceContext, "database">): Promise<boolean> {
  return database.transaction(async (queries) => {
    const rows = await queries
      .select({ kept: presetVersions, accountId: presets.accountId })
      .from(presetVersions)
      .innerJoin(presets, eq(presets.id, presetVersions.presetId))
      .where(lte(presetVersions.mediaExpiresAt, clock.date()))
      .orderBy(presetVersions.mediaExpiresAt)
      .limit(batchSize)
      .for("update", { of: presetVersions, skipLocked: true });
    for (const { kept, accountId } of rows) {
      const { presetId, version, input, media } = kept;
      const usable = await usableUploads(queries, accountId, media);
      await queries
        .update(presetVersions)
        .set(withoutGone(input, media, usable))
        .where(and(eq(presetVersions.presetId, presetId), eq(presetVersions.version, version)));
    }
    return rows.length === batchSize;
  });
}

/** A string in an input that refers to a file of this gateway, or is a file. */
interface FileText {
  /** JSON pointer. */
  path: string;
  /** The upload that the text refers to. */
  upload: string | null;
}

const uploadScheme = "upload://";

/**
 * Finds all strings anywhere in the input that refer to a file of this gateway or are a file, because no
 * schema tells where future inputs have their files.
 */
export function filesIn(input: Json, publicUrl: string): FileText[] {
  const found: FileText[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value === "string") {
      const file = fileOf(value, publicUrl);
      if (file) found.push({ path, upload: file.upload });
    } else if (typeof value === "object" && value !== null)
      for (const [step, child] of Object.entries(value)) look(child, `${path}/${escaped(step)}`);
  };
  look(input, "");
  return found;
}

function fileOf(text: string, publicUrl: string): { upload: string | null } | null {
  const id = text.startsWith(uploadScheme) ? text.slice(uploadScheme.length) : text;
  if (isId("upload", id)) return { upload: id };
  const isOwn = text.startsWith(`${publicUrl}/v1/files/`);
  return isOwn || /^data:[^,]*;base64,/i.test(text) ? { upload: null } : null;
}

/** The input with `value` in place of the values at these pointers. */
export function withValueAt(input: Json, paths: readonly string[], value: unknown): Json {
  const changed = structuredClone(input);
  for (const path of paths) {
    const steps = path.split("/").slice(1).map(unescaped);
    const last = steps.pop() ?? "";
    let parent: unknown = changed;
    for (const step of steps) parent = (parent as Json | undefined)?.[step];
    if (typeof parent === "object" && parent !== null && last in parent) (parent as Json)[last] = value;
  }
  return changed;
}

/** The input without the values at these pointers; later items of a list move up. */
function withoutAt(input: Json, paths: readonly string[]): Json {
  return withoutUndefined(withValueAt(input, paths, undefined)) as Json;
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutUndefined(child)]));
}

const escaped = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");
