import { statfsSync } from "node:fs";
import os from "node:os";

/** Files in this folder are in memory. */
const memory = "/dev/shm";
/** Databases of tests take 1 to 2 GiB of it; the tests need the rest. */
const neededBytes = 8 * 2 ** 30;

/**
 * The folder for databases of tests. Each has a thousand small files. Making them on a disk takes up to half a
 * second of processor time, in memory a twentieth of that.
 */
export const databasesFolder = (): string => (hasRoomInMemory() ? memory : os.tmpdir());

/** All folders that earlier runs may have used. */
export const databasesFolders = (): string[] => [os.tmpdir(), ...(freeBytes() === null ? [] : [memory])];

function hasRoomInMemory(): boolean {
  return Math.min(freeBytes() ?? 0, os.freemem()) >= neededBytes;
}

/** Null where there is no such folder. */
function freeBytes(): number | null {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
