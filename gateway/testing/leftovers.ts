import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { clusterFolder } from "../platform/database/embedded/places.ts";
import { isAlive, runningPostmaster, stopPostmaster } from "../platform/database/embedded/postmaster.ts";
import { databasesFolders } from "./memory-folder.ts";

/** Followed by the number of the process that made the folder. */
const prefix = "gatehouse-test-";

/** A new folder, which a later run removes if this one is killed. */
export function newRunFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  chmodSync(folder, 0o755); // The root user hands the server to another user, who must be able to enter the folder.
  return folder;
}

/** Stops the servers of killed test runs, and removes their folders. */
export async function removeLeftovers(): Promise<void> {
  for (const parent of databasesFolders())
    for (const name of readdirSync(parent)) {
      const maker = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
      if (!maker || isAlive(maker)) continue;
      const folder = path.join(parent, name);
      try {
        await removeFolder(folder);
      } catch (error) {
        if (existsSync(folder)) throw error; // Otherwise another run has just removed it.
      }
    }
}

async function removeFolder(folder: string): Promise<void> {
  for (const dataDir of [folder, ...foldersIn(path.join(folder, "files"))]) {
    const cluster = clusterFolder(dataDir);
    const postmaster = runningPostmaster(cluster);
    if (postmaster) await stopPostmaster(postmaster.pid, cluster);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The folder for data of tests that start the real program or their own server. */
function foldersIn(parent: string): string[] {
  const entries = existsSync(parent) ? readdirSync(parent, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(parent, entry.name));
}
