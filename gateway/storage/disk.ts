import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { assertObjectKey } from "./object-key.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";
import { spool } from "./spool.ts";

/** A half-written file this old belongs to a process that died. */
const leftoverAgeMs = 24 * 3_600_000;

/**
 * Objects as files under `root`. An object appears whole: its bytes are written and flushed beside, then renamed.
 * The content type lies in `<key>.meta`, renamed before the bytes.
 */
export async function openDiskStore(root: string): Promise<ObjectStore> {
  const objects = path.join(root, "objects");
  const incoming = path.join(root, "incoming");
  await mkdir(objects, { recursive: true, mode: 0o700 });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await removeLeftovers(incoming);

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

  return {
    head,
    async put(key, body, { contentType, maxBytes }) {
      const file = fileOf(key);
      const { file: draft, sizeBytes, sha256 } = await spool(body, incoming, maxBytes);
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(`${draft}.meta`, contentType, { mode: 0o600, flush: true });
        await rename(`${draft}.meta`, metaOf(file));
        await rename(draft, file);
        await syncFolder(path.dirname(file));
      } catch (error) {
        await Promise.all([rm(draft, { force: true }), rm(`${draft}.meta`, { force: true })]);
        throw error;
      }
      return { sizeBytes, sha256 };
    },
    async get(key, range) {
      const found = await head(key);
      if (!found) return null;
      // Opened before it is handed out: a removal meanwhile must not break the reader.
      const handle = await unlessMissing(open(fileOf(key)));
      if (!handle) return null;
      return { ...found, stream: handle.createReadStream(range) };
    },
    async delete(key) {
      const file = fileOf(key);
      await rm(file, { force: true });
      await rm(metaOf(file), { force: true });
      await removeEmptyFolders(path.dirname(file), objects);
    },
    close: async () => {},
  };
}

function metaOf(file: string): string {
  return file.replace(/\.bin$/, ".meta");
}

async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Makes the renames inside a folder survive a power cut. */
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

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await unlessMissing(stat(file));
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(file, { force: true });
  }
}
