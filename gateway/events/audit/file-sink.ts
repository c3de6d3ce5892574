import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { StreamFile } from "#gateway/platform/database/tables/audit-stream.ts";
import type { Sending, Sink } from "./sinks.ts";

/** The group may read it: a shipper usually runs as another user. */
const mode = 0o640;

/**
 * Appends batches to a file, each event once. The database has the file's inode and its length after the last whole batch:
 * what lies beyond is the part of the current batch that a killed process wrote, so only the rest is appended. Nothing is
 * ever cut off, because programs that follow a file read a shortened one again from its start.
 *
 * The file is opened for each batch, so a rotation that renames it needs no signal: the next batch is in a new file. A batch
 * that was interrupted before the rotation ends in the renamed file.
 */
export function fileSink(target: string): Sink {
  return {
    async send({ lines }, sending) {
      const batch = Buffer.from(lines);
      const { handle, base } = await openPlace(target, sending, batch);
      try {
        const { size } = await handle.stat();
        const written = await readRange(handle, base.length, size, batch.length);
        await sending.assertAlone();
        await writeAll(handle, batch.subarray(written.length));
        await handle.datasync();
        return { inode: base.inode, length: base.length + batch.length };
      } finally {
        await handle.close();
      }
    },
    close: async () => {},
  };
}

interface Place {
  handle: FileHandle;
  /** Where the batch begins. */
  base: StreamFile;
}

/** The file that the batch belongs to, and where it begins there; recorded before its first byte is written. */
async function openPlace(target: string, sending: Sending, batch: Buffer): Promise<Place> {
  const { file } = sending;
  const handle = await open(target, "a+", mode);
  try {
    const { ino, size } = await handle.stat({ bigint: true });
    const now: StreamFile = { inode: String(ino), length: Number(size) };
    if (file?.inode === now.inode && file.length <= now.length) {
      if (await isPartOf(handle, file, now.length, batch)) return { handle, base: file };
      sending.log.warn({ file: target }, "the file of the audit stream was changed by another program");
    } else if (file) {
      const renamed = await findBegun(target, file, batch);
      if (renamed) {
        await handle.close();
        return { handle: renamed, base: file };
      }
    }
    return { handle, base: await beginHere(target, handle, now, sending) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Begins the batch at the end of this file, on a line of its own. */
async function beginHere(
  target: string,
  handle: FileHandle,
  now: StreamFile,
  sending: Sending,
): Promise<StreamFile> {
  if (now.length === 0) await syncFolder(path.dirname(target));
  const last = now.length > 0 ? await readRange(handle, now.length - 1, now.length, 1) : null;
  let { length } = now;
  if (last && last.toString() !== "\n") {
    await writeAll(handle, Buffer.from("\n"));
    length += 1;
  }
  const base = { inode: now.inode, length };
  await sending.recordFile(base);
  return base;
}

/** The renamed file that has the beginning of the batch; null if there is none. */
async function findBegun(target: string, file: StreamFile, batch: Buffer): Promise<FileHandle | null> {
  const folder = path.dirname(target);
  const names = (await readdir(folder)).filter((name) => name.startsWith(path.parse(target).name));
  for (const name of names) {
    const at = path.join(folder, name);
    const { ino, size } = await stat(at, { bigint: true }).catch(() => ({ ino: -1n, size: 0n }));
    if (String(ino) !== file.inode || Number(size) <= file.length) continue;
    const handle = await open(at, "a+");
    if (await isPartOf(handle, file, Number(size), batch)) return handle;
    await handle.close();
  }
  return null;
}

/** Whether the bytes after the last whole batch are the beginning of this one. */
async function isPartOf(
  handle: FileHandle,
  { length }: StreamFile,
  size: number,
  batch: Buffer,
): Promise<boolean> {
  if (size - length > batch.length) return false;
  const written = await readRange(handle, length, size, batch.length);
  return written.equals(batch.subarray(0, written.length));
}

async function readRange(handle: FileHandle, from: number, to: number, most: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(to - from, most));
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await handle.read(bytes, read, bytes.length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
}

/** Makes the name of a new file survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
