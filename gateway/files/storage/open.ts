import path from "node:path";
import type { Config } from "#gateway/platform/core/config.ts";
import { openDiskStore } from "./disk.ts";
import type { ObjectStore } from "./object-store.ts";
import { openScratch, type Scratch } from "./scratch.ts";

/**
 * The object store of the settings (an S3 bucket if one is named, else files in the data folder) and the scratch
 * folder for unfinished files.
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
