import { readableBytes } from "#contract/output-constants.ts";
import type { Manifest } from "#contract/outputs.ts";
import { LibraryThread, ownBytes } from "./library-thread.ts";

// The library is c2pa-rs compiled to WebAssembly, an optional package. The alternatives are worse: c2pa-node
// downloads a binary when it is installed, and c2pa-ts reads few formats.

/** A limit for files that are crafted to be slow. A hundred megabytes take about two seconds. */
const readTimeoutMs = 20_000;
/** At most this many jobs wait for their turn. */
const maxWaiting = 64;

export interface Readable {
  contentType: string;
  sizeBytes: number;
  /** Called when it is the file's turn; null if the file was removed meanwhile. */
  bytes(): Promise<Buffer | null>;
}

export interface FileToRead {
  bytes: Uint8Array;
  contentType: string;
}

export const notRead: Manifest = unknown("not_read");

const openThread = () =>
  new LibraryThread<FileToRead, Manifest>(new URL("./reader-thread.ts", import.meta.url), maxWaiting);
/** A file sent for checking may be crafted to use all of its time, so it must not delay outputs. */
const threads = { outputs: openThread(), checks: openThread() };

interface Reading {
  /** The queue in which the reading waits. */
  among?: keyof typeof threads;
  timeoutMs?: number;
}

/**
 * Reads the Content Credentials of a file, one output and one checked file at a time in this process, with
 * limits of size and time; fetches nothing that the file names. Never throws because of the file's content.
 */
export async function readManifest(
  file: Readable,
  { among = "outputs", timeoutMs = readTimeoutMs }: Reading = {},
): Promise<Manifest> {
  if (file.sizeBytes > readableBytes) return unknown("too_large");
  const open = async () => {
    const opened = await file.bytes();
    if (opened === null) return null;
    const bytes = ownBytes(opened);
    return { message: { bytes, contentType: file.contentType }, transfer: [bytes.buffer] };
  };
  const answer = await threads[among].ask(open, timeoutMs);
  if (typeof answer === "object") return answer;
  return answer === "timeout" || answer === "failed" ? unknown(answer) : notRead;
}

function unknown(reason: NonNullable<Manifest["reason"]>): Manifest {
  return { state: "unknown", issuer: null, claims: null, reason };
}
