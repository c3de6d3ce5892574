import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { removeEmptyFolders, syncFolder, unlessMissing } from "./folders.ts";
import { type ObjectStore, type Part, type PartStore, PartsLostError } from "./object-store.ts";

interface Disk extends Pick<ObjectStore, "head" | "put"> {
  /** The folder of an object's parts. */
  folderOf(key: string): string;
  root: string;
}

/** The folder is the unfinished object: its key is enough to find it. */
const folderId = "folder";

/**
 * Parts as files in a folder beside their object. Each has a name of its own and is never written again: a process that goes on
 * after it lost its turn can neither replace a part nor change an object that was verified, which appending to one file would allow.
 */
export function diskParts({ folderOf, root, head, put }: Disk): PartStore {
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
