import path from "node:path";
import type { Config } from "../config.ts";
import { openDiskStore } from "./disk.ts";
import type { ObjectStore } from "./object-store.ts";
import { openS3Store } from "./s3.ts";

/** The object store of the settings: an S3 bucket when one is named, else files in the data folder. */
export function openObjectStore(config: Pick<Config, "s3" | "dataDir">): Promise<ObjectStore> {
  const folder = path.join(config.dataDir, "files");
  return config.s3 ? openS3Store(config.s3, path.join(folder, "incoming")) : openDiskStore(folder);
}
