import { readableBytes } from "#contract/output-constants.ts";
import type { Manifest } from "#contract/outputs.ts";
import { LibraryThread, ownBytes } from "./library-thread.ts";

/** Bounds for files that may be crafted to be slow. A hundred megabytes take about two seconds. */
const readTimeoutMs = 20_000;
/** How many may wait for their turn. */
const maxWaiting = 64;

export interface Readable {
  contentType: string;
  sizeBytes: number;
  /** Called when it is its turn; null when the file was removed meanwhile. */
  bytes(): Promise<Buffer | null>;
}

export interface FileToRead {
  bytes: Uint8Array;
  contentType: string;
}

export const notRead: Manifest = unknown("not_read");

const openThread = () =>
  new LibraryThread<FileToRead, Manifest>(new URL("./reader-thread.ts", import.meta.url), maxWaiting);
/** A file that somebody has checked may be crafted to take all of its time, and then holds up no outputs. */
const threads = { outputs: openThread(), checks: openThread() };

interface Reading {
  /** Whose turn it takes. */
  among?: keyof typeof threads;
  timeoutMs?: number;
}

/**
 * Reads the Content Credentials of a file, one output and one checked file at a time in this process, within bounds of size and time; nothing that
 * the file names is fetched. Never throws for what is in the file.
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
