import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { Config } from "#gateway/platform/core/config.ts";
import { inParallel } from "#gateway/platform/core/together.ts";
import {
  assertObjectKey,
  NotRemovedError,
  type ObjectStore,
  type Part,
  type PartStore,
  PartsLostError,
  type StoredObject,
} from "./object-store.ts";
import { openScratch, type Scratch, spool } from "./scratch.ts";
import { orStoreFull } from "./store-room.ts";

/**
 * The configured object store (an S3 bucket if one is set, otherwise files in the data folder) and the
 * scratch folder for unfinished files.
 */
export async function openStorage(
  config: Pick<Config, "s3" | "dataDir">,
): Promise<{ store: ObjectStore; scratch: Scratch }> {
  const folder = path.join(config.dataDir, "files");
  const scratch = await openScratch(path.join(folder, "incoming"));
  const store = config.s3
    ? (await import("./s3.ts")).openS3Store(config.s3, scratch.folder)
    : await openDiskStore(path.join(folder, "objects"), scratch.folder);
  return { store, scratch };
}

const removedAtOnce = 16;

/**
 * Objects as files under `objects`. An object appears atomically: its bytes are written and flushed in `spoolFolder`,
 * on the same disk, then renamed. The content type is in `<key>.meta`, renamed before the bytes.
 */
async function openDiskStore(objects: string, spoolFolder: string): Promise<ObjectStore> {
  await mkdir(objects, { recursive: true, mode: 0o700 });

  const fileOf = (key: string): string => {
    assertObjectKey(key);
    return path.join(objects, `${key}.bin`);
  };

  const head = async (key: string): Promise<StoredObject | null> => {
    const file = fileOf(key);
    const [bytes, meta] = await Promise.all([
      unlessMissing(stat(file)),
      unlessMissing(readFile(metaOf(file), "utf8")),
    ]);
    return bytes && meta !== null ? { sizeBytes: bytes.size, contentType: meta } : null;
  };

  const put: ObjectStore["put"] = async (key, body, { contentType, maxBytes }) => {
    const file = fileOf(key);
    const { file: draft, sizeBytes, sha256 } = await spool(body, spoolFolder, maxBytes);
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${draft}.meta`, contentType, { mode: 0o600, flush: true });
      await rename(`${draft}.meta`, metaOf(file));
      await rename(draft, file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      await Promise.all([rm(draft, { force: true }), rm(`${draft}.meta`, { force: true })]);
      throw orStoreFull(error);
    }
    return { sizeBytes, sha256 };
  };

  return {
    head,
    put,
    async get(key, range) {
      const found = await head(key);
      if (!found) return null;
      // Opened before it is returned, so that a concurrent removal does not break the reader.
      const handle = await unlessMissing(open(fileOf(key)));
      if (!handle) return null;
      return { ...found, stream: handle.createReadStream(range) };
    },
    async delete(keys) {
      const failed = new Map<string, unknown>();
      await inParallel(keys, removedAtOnce, async (key) => {
        try {
          const file = fileOf(key);
          await unlessMissing(unlink(file));
          await unlessMissing(unlink(metaOf(file)));
        } catch (error) {
          failed.set(key, error);
        }
      });
      const folders = new Set(keys.map((key) => path.dirname(fileOf(key))));
      await inParallel([...folders], removedAtOnce, (folder) => removeEmptyFolders(folder, objects));
      const [cause] = failed.values();
      if (failed.size > 0) throw new NotRemovedError([...failed.keys()], cause);
    },
    parts: diskParts({
      folderOf: (key) => fileOf(key).replace(/\.bin$/, ".parts"),
      root: objects,
      head,
      put,
    }),
    close: async () => {},
  };
}

function metaOf(file: string): string {
  return file.replace(/\.bin$/, ".meta");
}

/** Null if the file or folder does not exist. */
async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Makes the renames inside a folder survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = path.dirname(current)) {
    try {
      await rmdir(current);
    } catch {
      return;
    }
  }
}

interface Disk extends Pick<ObjectStore, "head" | "put"> {
  /** The folder of an object's parts. */
  folderOf(key: string): string;
  root: string;
}

/** The same id for every unfinished object, because the key is enough to find its folder. */
const folderId = "folder";

/**
 * Parts as files in a folder next to their object. Each has its own name and is never overwritten: a process
 * that continues after it lost its turn can neither replace a part nor change a verified object, which
 * appending to one file would allow.
 */
function diskParts({ folderOf, root, head, put }: Disk): PartStore {
  return {
    async begin(key) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      return folderId;
    },
    async put({ key }, number, { file }) {
      const folder = folderOf(key);
      const name = `${number}-${randomBytes(8).toString("hex")}`;
      if (!(await unlessMissing(rename(file, path.join(folder, name)).then(() => true)))) {
        await rm(file, { force: true });
        throw new PartsLostError(`${key} has no folder for its parts`);
      }
      await syncFolder(folder);
      return name;
    },
    async complete({ key }, parts, { sizeBytes, contentType }) {
      const folder = folderOf(key);
      const stored = new Set((await unlessMissing(readdir(folder))) ?? []);
      if (!parts.every(({ etag }) => stored.has(etag))) {
        if ((await head(key))?.sizeBytes === sizeBytes) return null;
        throw new PartsLostError(`${key} lacks some of its parts`);
      }
      const body = Readable.from(bytesOf(folder, parts), { objectMode: false });
      return (await put(key, body, { contentType, maxBytes: sizeBytes })).sha256;
    },
    async abort(key) {
      const folder = folderOf(key);
      await rm(folder, { recursive: true, force: true });
      await removeEmptyFolders(path.dirname(folder), root);
    },
  };
}

async function* bytesOf(folder: string, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const { etag } of parts) yield* createReadStream(path.join(folder, etag));
}
