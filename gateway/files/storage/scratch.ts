import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { orStoreFull } from "./store-room.ts";

/**
 * How often a process marks its folder as in use, and how old the mark may be before the process counts as
 * dead.
 */
const beatMs = 60_000;
export const deadAfterMs = 15 * 60_000;

/** Space for unfinished files on the data folder's disk: this process's folder, removed when it stops. */
export interface Scratch {
  folder: string;
  /** Runs `use` with a private directory, which is always removed afterwards. Throws StoreFullError. */
  withDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result>;
  /** The same for work that may need no files: the directory is made when it is first opened. */
  withLazyDirectory<Result>(use: (open: () => Promise<string>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Opens a folder under `root`, which other processes may share, and removes the folders of dead processes,
 * because users' files must not remain after a kill.
 */
export async function openScratch(root: string): Promise<Scratch> {
  const folder = path.join(root, randomBytes(8).toString("hex"));
  await keepAlive(folder);
  await removeDead(root);
  const beat = setInterval(() => {
    // Best effort: the next heartbeat retries, and meanwhile the files are in a private folder.
    keepAlive(folder)
      .then(() => removeDead(root))
      .catch(() => undefined);
  }, beatMs).unref();
  const withLazyDirectory: Scratch["withLazyDirectory"] = async (use) => {
    let made: Promise<string> | null = null;
    const open = () => {
      made ??= mkdtemp(path.join(folder, "work-")).catch((error: unknown) => {
        throw orStoreFull(error);
      });
      return made;
    };
    try {
      return await use(open);
    } finally {
      const directory = await (made as Promise<string> | null)?.catch(() => null);
      if (directory) await rm(directory, { recursive: true, force: true });
    }
  };
  return {
    folder,
    withLazyDirectory,
    withDirectory: (use) => withLazyDirectory(async (open) => use(await open())),
    async close() {
      clearInterval(beat);
      // Work that was cut short may write its last file meanwhile.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Marks the folder as in use. Also creates it, because another process may have removed it while this one was
 * suspended.
 */
async function keepAlive(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(folder, now, now);
}

async function removeDead(root: string): Promise<void> {
  const deadBefore = Date.now() - deadAfterMs;
  for (const name of await readdir(root)) {
    const entry = path.join(root, name);
    // Another process may be removing the entry at the same time.
    const found = await stat(entry).catch(() => null);
    if (found && found.mtimeMs < deadBefore) await rm(entry, { recursive: true, force: true });
  }
}

/** More bytes than allowed arrived; nothing was kept. */
export class TooManyBytesError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes arrived`);
    this.maxBytes = maxBytes;
  }
}

export interface Spooled {
  file: string;
  sizeBytes: number;
  sha256: string;
}

/**
 * Writes `body` to a new private file in `folder` and flushes it to disk, counting and hashing; removes it on
 * failure. Throws StoreFullError.
 */
export async function spool(
  body: Readable | Buffer,
  folder: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Spooled> {
  const file = path.join(folder, randomBytes(12).toString("hex"));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return done(new TooManyBytesError(maxBytes));
      hash.update(chunk);
      return done(null, chunk);
    },
  });
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  try {
    await pipeline(source, meter, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  } catch (error) {
    await rm(file, { force: true });
    throw orStoreFull(error);
  }
  return { file, sizeBytes, sha256: hash.digest("hex") };
}
