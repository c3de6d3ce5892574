import { createHash } from "node:crypto";
import type { Upload, UploadVerify } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { Turns } from "#gateway/core/turns.ts";
import { and, eq } from "#gateway/database/drizzle.ts";
import { uploads } from "#gateway/database/schema.ts";
import { isOfType, sniff, sniffBytes } from "#gateway/storage/sniff.ts";
import { isTable } from "./content-type.ts";
import { findUpload, type UploadRow } from "./queries.ts";
import { uploadView } from "./view.ts";

/** Each check reads the whole file, and the first settles it: the others of this process wait for that. */
const turns = new Turns();

/**
 * Checks that the stored bytes are what was announced: length, magic bytes, sha256. Agreement makes the upload usable,
 * a mismatch rejects it permanently and removes the bytes. Uploads in a later state are returned unchanged.
 */
export function verifyUpload(
  context: Context,
  accountId: string,
  id: string,
  input: UploadVerify,
): Promise<Upload> {
  return turns.take(`${accountId} ${id}`, () => verifyInTurn(context, accountId, id, input));
}

async function verifyInTurn(
  context: Context,
  accountId: string,
  id: string,
  input: UploadVerify,
): Promise<Upload> {
  const row = await findUpload(context.database.queries, accountId, id);
  if (row.status === "pending")
    throw new ApiError("upload_not_received", `PUT the bytes of ${id} to its upload_url first.`);
  if (row.status === "verified" && input.sha256 && input.sha256 !== row.sha256)
    throw new ApiError("invalid_parameter", `sha256 must be ${row.sha256}`, { param: "sha256" });
  if (row.status !== "uploaded") return uploadView(context, row);
  const mismatch = await inspectBytes(context, row, input.sha256 ?? row.expectedSha256);
  const now = clock.date();
  const outcome: Partial<UploadRow> = mismatch
    ? { status: "rejected", error: mismatch, storageKey: null, objectExpiresAt: null }
    : {
        status: "verified",
        verifiedAt: now,
        objectExpiresAt: new Date(now.getTime() + context.config.retentionMs),
      };
  const [settled] = await context.database.queries
    .update(uploads)
    .set(outcome)
    .where(and(eq(uploads.id, id), eq(uploads.status, "uploaded")))
    .returning();
  if (mismatch && settled && row.storageKey !== null) await context.store.delete([row.storageKey]);
  // Meanwhile another verify settled it, or it was deleted.
  return uploadView(context, settled ?? (await findUpload(context.database.queries, accountId, id)));
}

interface Mismatch {
  code: "size_mismatch" | "content_type_mismatch" | "checksum_mismatch";
  message: string;
}

/** Compares the stored bytes of an upload with its declaration; returns the mismatch, or null. */
async function inspectBytes(
  context: Context,
  row: UploadRow,
  expectedSha256: string | null,
): Promise<Mismatch | null> {
  const object = row.storageKey === null ? null : await context.store.get(row.storageKey);
  if (!object) return { code: "size_mismatch", message: "The bytes are not in the store." };
  const hash = createHash("sha256");
  const start: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of object.stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (sizeBytes < sniffBytes) start.push(chunk.subarray(0, sniffBytes - sizeBytes));
    sizeBytes += chunk.length;
  }
  const sha256 = hash.digest("hex");
  if (sizeBytes !== row.sizeBytes)
    return {
      code: "size_mismatch",
      message: `${row.sizeBytes} bytes were announced, ${sizeBytes} are stored.`,
    };
  const sniffed = await sniff(Buffer.concat(start));
  const isText = isTable(row.contentType) && !sniffed;
  if (!isText && !isOfType(sniffed, row.contentType)) {
    const found = sniffed ? sniffed.types[sniffed.family] : "something else";
    return { code: "content_type_mismatch", message: `The file is not ${row.contentType} but ${found}.` };
  }
  if (sha256 !== row.sha256) return { code: "checksum_mismatch", message: "The stored bytes are damaged." };
  if (expectedSha256 !== null && sha256 !== expectedSha256)
    return { code: "checksum_mismatch", message: `The sha256 of the bytes is ${sha256}.` };
  return null;
}
