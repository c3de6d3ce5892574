import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

/** How often a process says that its folder is in use, and after how long a silent one is taken for dead. */
const beatMs = 60_000;
export const deadAfterMs = 15 * 60_000;

/** Room for bytes on their way, on the disk of the data folder: a folder of this process, gone when it stops. */
export interface Scratch {
  folder: string;
  /** Runs `use` with a private directory that is gone afterwards, whatever happens. */
  withDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Opens a folder under `root`, which other processes may share, and removes what processes that died left there: a
 * killed gateway must not keep people's files.
 */
export async function openScratch(root: string): Promise<Scratch> {
  const folder = path.join(root, randomBytes(8).toString("hex"));
  await keepAlive(folder);
  await removeDead(root);
  const beat = setInterval(() => {
    // Best effort: the next beat tries again, and what waits meanwhile waits in a private folder.
    keepAlive(folder)
      .then(() => removeDead(root))
      .catch(() => undefined);
  }, beatMs).unref();
  return {
    folder,
    async withDirectory(use) {
      const directory = await mkdtemp(path.join(folder, "work-"));
      try {
        return await use(directory);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    async close() {
      clearInterval(beat);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the folder too: whoever took a process that slept for dead has removed it. */
async function keepAlive(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(folder, now, now);
}

async function removeDead(root: string): Promise<void> {
  const deadBefore = Date.now() - deadAfterMs;
  for (const name of await readdir(root)) {
    const entry = path.join(root, name);
    // Another process may be removing the same.
    const found = await stat(entry).catch(() => null);
    if (found && found.mtimeMs < deadBefore) await rm(entry, { recursive: true, force: true });
  }
}
