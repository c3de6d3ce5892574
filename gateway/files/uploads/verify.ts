import { createHash, type Hash } from "node:crypto";
import { addAbortSignal } from "node:stream";
import { byName } from "#contract/by-name.ts";
import {
  tableMaxBytes,
  tableTypes,
  type Upload,
  type UploadVerify,
  uploadMaxBytes,
  uploadTypes,
} from "#contract/upload.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { fileBarred, findBar, lockHashes } from "#gateway/files/storage/barred-files.ts";
import { isOfType, sniff, sniffBytes } from "#gateway/files/storage/sniff.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { Turns } from "#gateway/platform/core/together.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads } from "#gateway/platform/database/schema.ts";
import { finishReceived, isUnfinished } from "./parts/finish.ts";
import { findUpload, isTable, storedParts, type UploadRow, uploadView } from "./read.ts";

/** Other names that browsers and tools use for an accepted type. */
const aliases = byName<string>({
  "image/jpg": "image/jpeg",
  "image/x-ms-bmp": "image/bmp",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/mp3": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/x-m4a": "audio/mp4",
  "audio/x-flac": "audio/flac",
  "video/x-m4v": "video/mp4",
  "application/x-ndjson": "application/jsonl",
  "application/x-jsonlines": "application/jsonl",
});

const tableEndings = byName<(typeof tableTypes)[number]>({
  csv: "text/csv",
  jsonl: "application/jsonl",
  ndjson: "application/jsonl",
});

/**
 * A check reads the whole file, so concurrent checks of one upload wait for the first, which decides for all.
 */
const turns = new Turns();

/**
 * Checks that the stored bytes are as announced: length, magic bytes, sha256. If they are, the upload becomes
 * usable; otherwise, or if they are barred, it is rejected permanently and its bytes are removed. Uploads in a
 * later state are returned unchanged. Throws once the caller has `left`.
 */
export function verifyUpload(
  context: FilesContext,
  accountId: string,
  id: string,
  input: UploadVerify,
  left?: AbortSignal,
): Promise<Upload> {
  return turns.take(`${accountId} ${id}`, () => verifyInTurn(context, accountId, id, input, left));
}

async function verifyInTurn(
  context: FilesContext,
  accountId: string,
  id: string,
  input: UploadVerify,
  left: AbortSignal | undefined,
): Promise<Upload> {
  left?.throwIfAborted();
  const row = await findReceived(context, accountId, id);
  if (row.status === "pending")
    throw new ApiError("upload_not_received", `PUT the bytes of ${id} to its upload_url first.`);
  if (row.status === "verified" && input.sha256 && input.sha256 !== row.sha256)
    throw invalidParameter("sha256", `sha256 must be ${row.sha256}`);
  if (row.status !== "uploaded") return uploadView(context, row);
  const inspected = await inspectBytes(context, row, input.sha256 ?? row.expectedSha256, left);
  const settled = await context.database.transaction((queries) => settle(context, queries, row, inspected));
  // Another verification finished meanwhile, or the upload was deleted.
  return uploadView(context, settled ?? (await findUpload(context.database.queries, accountId, id)));
}

/**
 * Removes rejected bytes before the row is committed, so that a crash leaves no file without a row. Returns
 * undefined if the upload is no longer `uploaded`.
 */
async function settle(
  { config, retention, store }: FilesContext,
  queries: Queries,
  { id, accountId, storageKey }: UploadRow,
  { mismatch, sha256 }: Inspected,
): Promise<UploadRow | undefined> {
  const error = mismatch ?? (config.extensions ? await barOf(queries, accountId, sha256) : null);
  const now = clock.date();
  const outcome: Partial<UploadRow> = error
    ? { status: "rejected", error, storageKey: null, objectExpiresAt: null }
    : {
        status: "verified",
        sha256,
        verifiedAt: now,
        objectExpiresAt: new Date(now.getTime() + retention.of(accountId)),
      };
  const [settled] = await queries
    .update(uploads)
    .set(outcome)
    .where(and(eq(uploads.id, id), eq(uploads.status, "uploaded")))
    .returning();
  // The part hashes were needed only for this comparison.
  await queries.delete(uploadParts).where(eq(uploadParts.uploadId, id));
  if (settled && error && storageKey !== null) await store.delete([storageKey]);
  return settled;
}

/** Reads the upload; if all its parts are stored and only the last step is missing, does that step first. */
async function findReceived(context: FilesContext, accountId: string, id: string): Promise<UploadRow> {
  const { queries } = context.database;
  const row = await findUpload(queries, accountId, id);
  if (!isUnfinished(row)) return row;
  await finishReceived(context, id);
  return findUpload(queries, accountId, id);
}

/**
 * Why bytes that are as announced are still rejected: they were reported, removed and barred. A bar that is
 * written later waits for this transaction, so that the removal finds the verified upload.
 */
async function barOf(queries: Queries, accountId: string, sha256: string | null): Promise<Mismatch | null> {
  if (sha256 === null) return null;
  await lockHashes(queries, [sha256]);
  const by = await findBar(queries, accountId, [sha256]);
  return by && { code: "file_barred", message: fileBarred(by).message };
}

interface Mismatch {
  code: "size_mismatch" | "content_type_mismatch" | "checksum_mismatch" | "file_barred";
  message: string;
}

interface Inspected {
  mismatch: Mismatch | null;
  sha256: string | null;
}

class PartHashes {
  private readonly expected: readonly { sizeBytes: number; sha256: string }[];
  private hash: Hash = createHash("sha256");
  private index = 0;
  private read = 0;
  private isDifferent = false;

  constructor(expected: readonly { sizeBytes: number; sha256: string }[]) {
    this.expected = expected;
  }

  update(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      const part = this.expected[this.index];
      if (!part) {
        this.isDifferent = true;
        return;
      }
      const bytes = rest.subarray(0, part.sizeBytes - this.read);
      this.hash.update(bytes);
      this.read += bytes.length;
      rest = rest.subarray(bytes.length);
      if (this.read === part.sizeBytes) this.endPart(part.sha256);
    }
  }

  /** Whether the file consists of exactly the received parts. */
  agree(): boolean {
    return !this.isDifferent && this.index === this.expected.length;
  }

  private endPart(sha256: string): void {
    if (this.hash.digest("hex") !== sha256) this.isDifferent = true;
    this.hash = createHash("sha256");
    this.index += 1;
    this.read = 0;
  }
}

/** Compares the stored bytes of an upload with its declaration, and with what was received. */
async function inspectBytes(
  context: FilesContext,
  row: UploadRow,
  expectedSha256: string | null,
  left: AbortSignal | undefined,
): Promise<Inspected> {
  const object = row.storageKey === null ? null : await context.store.get(row.storageKey);
  if (!object)
    return { mismatch: { code: "size_mismatch", message: "The bytes are not in the store." }, sha256: null };
  const parts = row.sha256 === null ? await receivedParts(context, row.id) : null;
  const hash = createHash("sha256");
  const start: Buffer[] = [];
  let sizeBytes = 0;
  const stream: AsyncIterable<Buffer> = left ? addAbortSignal(left, object.stream) : object.stream;
  for await (const chunk of stream) {
    hash.update(chunk);
    parts?.update(chunk);
    if (sizeBytes < sniffBytes) start.push(chunk.subarray(0, sniffBytes - sizeBytes));
    sizeBytes += chunk.length;
  }
  const sha256 = hash.digest("hex");
  const isDamaged = parts ? !parts.agree() : sha256 !== row.sha256;
  const found = { sizeBytes, sha256, isDamaged, start: Buffer.concat(start) };
  return { mismatch: await mismatchOf(row, found, expectedSha256), sha256 };
}

/**
 * The hashes of an upload's parts as they were received, to compare the stored file with: if the store itself
 * joined the parts, nobody has read the whole file before it is verified.
 */
async function receivedParts(context: FilesContext, id: string): Promise<PartHashes> {
  return new PartHashes(await storedParts(context.database.queries, id));
}

async function mismatchOf(
  row: UploadRow,
  found: { sizeBytes: number; sha256: string; isDamaged: boolean; start: Buffer },
  expectedSha256: string | null,
): Promise<Mismatch | null> {
  const { sizeBytes, sha256, isDamaged, start } = found;
  if (sizeBytes !== row.sizeBytes)
    return {
      code: "size_mismatch",
      message: `${row.sizeBytes} bytes were announced, ${sizeBytes} are stored.`,
    };
  const sniffed = await sniff(start);
  const isText = isTable(row.contentType) && !sniffed;
  if (!isText && !isOfType(sniffed, row.contentType)) {
    const kind = sniffed ? sniffed.types[sniffed.family] : "something else";
    return { code: "content_type_mismatch", message: `The file is not ${row.contentType} but ${kind}.` };
  }
  if (isDamaged) return { code: "checksum_mismatch", message: "The stored bytes are damaged." };
  if (expectedSha256 !== null && sha256 !== expectedSha256)
    return { code: "checksum_mismatch", message: `The sha256 of the bytes is ${sha256}.` };
  return null;
}

/** The type without parameters, in its normalised spelling. */
export function normalizedType(text: string): string {
  const type = (text.split(";")[0] ?? "").trim().toLowerCase();
  return aliases[type] ?? type;
}

/** The normalised type of an upload, its family and size limit. Throws `unsupported_content_type`. */
export function acceptedType(text: string): {
  contentType: string;
  family: "image" | "audio" | "video" | "table";
  maxBytes: number;
} {
  const contentType = normalizedType(text);
  const family = Object.hasOwn(uploadTypes, contentType) ? uploadTypes[contentType] : undefined;
  if (family) return { contentType, family, maxBytes: uploadMaxBytes[family] };
  if (isTable(contentType)) return { contentType, family: "table", maxBytes: tableMaxBytes };
  const choices = [...Object.keys(uploadTypes), ...tableTypes].join(", ");
  throw new ApiError("unsupported_content_type", `content_type must be one of ${choices}.`, {
    param: "content_type",
  });
}

/**
 * The type of a table: as declared, otherwise by its file name, because few clients know these types. Null
 * for other files.
 */
export function tableTypeOf(declared: string, filename: string | undefined): string | null {
  const type = normalizedType(declared);
  if (isTable(type)) return type;
  return tableEndings[filename?.toLowerCase().split(".").at(-1) ?? ""] ?? null;
}
