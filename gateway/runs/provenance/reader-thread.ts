import { parentPort } from "node:worker_threads";
import type { Manifest } from "#contract/outputs.ts";
import { library, readFrom } from "./library.ts";
import type { FileToRead } from "./reader.ts";

/** Runs in its own thread (see `reader.ts`). */

async function read(asked: FileToRead): Promise<Manifest> {
  const loaded = await library;
  return loaded
    ? readFrom(loaded, asked)
    : { state: "unknown", issuer: null, claims: null, reason: "reader_missing" };
}

parentPort?.on("message", async (asked: FileToRead) => parentPort?.postMessage(await read(asked)));
