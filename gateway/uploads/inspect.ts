import { createHash } from "node:crypto";
import type { Context } from "#gateway/context.ts";
import { isOfType, sniff, sniffBytes } from "#gateway/storage/sniff.ts";
import { isTable } from "./content-type.ts";
import type { UploadRow } from "./queries.ts";

export interface Mismatch {
  code: "size_mismatch" | "content_type_mismatch" | "checksum_mismatch";
  message: string;
}

/** Compares the stored bytes of an upload with its declaration; returns the mismatch, or null. */
export async function inspectBytes(
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
