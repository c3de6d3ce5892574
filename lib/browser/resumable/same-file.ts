import type { Upload } from "#contract/upload.ts";
import { type GatewayFailure, localFailure } from "../../gateway/result.ts";
import { callRoute } from "../gateway.ts";
import { unfinishedUploads } from "./unfinished.ts";

const another = "another_file";

/**
 * Compares a file that was chosen again with the stored beginning of its upload, by size and the hash of each
 * stored part. Null if it is the same file, even if copied or renamed. Without hashing (plain http) name and
 * date must match.
 */
export async function differenceFrom(
  upload: Upload,
  file: File,
  { onChecked, signal }: { onChecked: (bytes: number) => void; signal?: AbortSignal | undefined },
): Promise<GatewayFailure | null> {
  if (file.size !== upload.size_bytes)
    return localFailure(
      another,
      "This is a different file: its size is not the same. Choose the file that you started with.",
    );
  if (!globalThis.crypto?.subtle) return differenceOfDate(upload, file);
  const stored = await callRoute("GET /uploads/{id}/parts", {
    params: { id: upload.id },
    ...(signal && { signal }),
  });
  if (!stored.ok) return stored.error;
  for (const { offset_bytes: from, size_bytes: length, sha256 } of stored.data.data) {
    signal?.throwIfAborted();
    const bytes = await file.slice(from, from + length).arrayBuffer();
    if ((await hexOf(bytes)) !== sha256)
      return localFailure(
        another,
        "This is a different file, or it was changed. Choose the file that you started with.",
      );
    onChecked(from + length);
  }
  return null;
}

function differenceOfDate(upload: Upload, file: File): GatewayFailure | null {
  const known = unfinishedUploads().find(({ id }) => id === upload.id);
  if (known?.modifiedMs === file.lastModified && (upload.filename ?? file.name) === file.name) return null;
  return localFailure(another, "This may be a different file: its name or date is not the same as before.");
}

async function hexOf(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
