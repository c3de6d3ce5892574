import { mkdir, open, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { inParallel } from "#gateway/platform/core/in-parallel.ts";
import { diskParts } from "./disk-parts.ts";
import { removeEmptyFolders, syncFolder, unlessMissing } from "./folders.ts";
import { assertObjectKey } from "./object-key.ts";
import { NotRemovedError, type ObjectStore, type StoredObject } from "./object-store.ts";
import { spool } from "./spool.ts";
import { orStoreFull } from "./store-full.ts";

const removedAtOnce = 16;

/**
 * Objects as files under `objects`. An object appears atomically: its bytes are written and flushed in `spoolFolder`,
 * on the same disk, then renamed. The content type is in `<key>.meta`, renamed before the bytes.
 */
export async function openDiskStore(objects: string, spoolFolder: string): Promise<ObjectStore> {
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
