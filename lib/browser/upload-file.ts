import type { Upload } from "#contract/upload.ts";
import { partsFromBytes } from "#contract/upload-constants.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "../gateway/result.ts";
import { contentTypeOf, type FileLimits, fileProblem } from "./file-type.ts";
import { callRoute } from "./gateway.ts";
import { rememberId } from "./remembered-ids.ts";
import { type PartsProgress, retryUntilDone, sendParts } from "./resumable/send-parts.ts";
import { forgetUnfinished, rememberUnfinished, sending, unfinishedUploads } from "./resumable/unfinished.ts";
import { sendBytes } from "./send-bytes.ts";

export interface UploadProgress {
  /**
   * `comparing`: checks a file that the user chose again. `offline`: continues when the connection is back.
   */
  phase: "creating" | "comparing" | "sending" | "offline" | "verifying";
  sentBytes: number;
  totalBytes: number;
  /** Only for files that are sent in parts, once the value is known. */
  bytesPerSecond?: number | null;
}

export interface UploadOptions {
  onProgress?: (progress: UploadProgress) => void;
  /** Aborts the transfer and deletes the upload, unless the reason is `pausing`. */
  signal?: AbortSignal;
  limits?: FileLimits;
  /** The upload to continue with a file that the user chose again. */
  continues?: Upload;
  /** Called with the upload before its bytes are sent. */
  onCreated?: (upload: Upload) => void;
}

/** The abort reason that keeps the upload, so that the same file can continue it. */
export const pausing = new DOMException("The upload was paused.", "AbortError");

/** Uploads that a broken connection interrupted. A retry continues the same upload. */
const unfinished = new WeakMap<File, Upload>();

/**
 * Checks a file, creates its upload, sends the bytes straight to the signed URL and lets the gateway verify
 * them. Returns the verified upload, or a failure with advice (`canceled` if `signal` ended it). A large file
 * is sent in parts and continues where it stopped (`resumable/send-parts.ts`). For other files, an expired
 * URL is replaced once; after a broken connection, the state of the upload decides, once, whether to verify
 * or to send again.
 */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<GatewayResult<Upload>> {
  const { onProgress, signal, limits, continues, onCreated } = options;
  const problem = fileProblem(file, limits);
  if (problem) return { ok: false, error: localFailure(problem.code, problem.message) };
  const report = (phase: UploadProgress["phase"], sentBytes: number, bytesPerSecond: number | null = null) =>
    onProgress?.({ phase, sentBytes, totalBytes: file.size, bytesPerSecond });
  // Until the chosen file is proved to be the same one, a failure must not delete the upload.
  let isOwn = !continues;
  let current: Upload | null = continues ?? unfinished.get(file) ?? null;
  unfinished.delete(file);
  try {
    report(continues ? "comparing" : "creating", 0);
    const upload = current ? await stateOf(current, file, signal) : await createUpload(file, signal);
    if (!upload.ok) return keptFor(file, current, upload.error);
    current = upload.data;
    if (current.id === continues?.id && current.status === "pending") {
      const onChecked = (bytes: number) => report("comparing", bytes);
      const difference = await differenceFrom(current, file, { onChecked, signal });
      if (difference) return { ok: false, error: difference };
    }
    isOwn = true;
    onCreated?.(current);
    if (isLarge(file) && current.status === "pending") {
      const failure = await sendInParts(current, file, report, signal);
      if (failure) return keptFor(file, current, failure);
    }
    let mayRenew = true;
    let mayResend = true;
    while (current.status === "pending" && !isLarge(file)) {
      report("sending", 0);
      const refusal = await putBytes(current, file, (sent) => report("sending", sent), signal);
      if (!refusal || refusal.code === "upload_already_received") break;
      let next: GatewayResult<Upload>;
      if (refusal.code === "signature_expired" && mayRenew) {
        mayRenew = false;
        void callRoute("DELETE /uploads/{id}", { params: { id: current.id } });
        next = await createUpload(file, signal);
      } else if (refusal.status === 0 && mayResend) {
        mayResend = false;
        next = await stateOf(current, file, signal);
      } else return keptFor(file, current, refusal);
      if (!next.ok) return keptFor(file, current, next.error);
      current = next.data;
    }
    report("verifying", file.size);
    const { id } = current;
    const verify = () =>
      callRoute("POST /uploads/{id}/verify", { params: { id }, body: {}, ...(signal && { signal }) });
    const onWait = () => report("offline", file.size);
    const verified = isLarge(file) ? await retryUntilDone(verify, { signal, onWait }) : await verify();
    if (!verified.ok) return keptFor(file, current, verified.error);
    forgetUnfinished(current.id);
    if (verified.data.status !== "verified") {
      const { error } = verified.data;
      return {
        ok: false,
        error: localFailure(error?.code ?? "upload_not_usable", error?.message ?? "The file was rejected."),
      };
    }
    return verified;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    if (signal?.reason === pausing) {
      if (current) unfinished.set(file, current);
      return { ok: false, error: localFailure("paused", "The upload was paused.") };
    }
    if (current && isOwn) discardUpload(current.id);
    return { ok: false, error: localFailure("canceled", "The upload was canceled.") };
  }
}

const another = "another_file";

/**
 * Compares a file that the user chose again with the stored beginning of its upload, by size and the hash of
 * each stored part. Null: it is the same file, even if copied or renamed. Where the browser cannot hash
 * (plain http), name and date must match.
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
  return localFailure(
    another,
    "This may be a different file: its name or date has changed. Choose the file that you started with.",
  );
}

async function hexOf(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Deletes an upload that is no longer wanted, without waiting for the result. */
export function discardUpload(id: string): void {
  forgetUnfinished(id);
  void callRoute("DELETE /uploads/{id}", { params: { id } });
}

function isLarge(file: File): boolean {
  return file.size > partsFromBytes;
}

function sendInParts(
  upload: Upload,
  file: File,
  report: (phase: "sending" | "offline", sentBytes: number, bytesPerSecond: number | null) => void,
  signal?: AbortSignal,
): Promise<GatewayFailure | null> {
  rememberUnfinished(upload.id, file);
  const onProgress = ({ sentBytes, bytesPerSecond, isWaiting }: PartsProgress) =>
    report(isWaiting ? "offline" : "sending", sentBytes, bytesPerSecond);
  return sending(upload.id, () => sendParts(upload, file, { onProgress, signal }));
}

async function createUpload(file: File, signal?: AbortSignal): Promise<GatewayResult<Upload>> {
  const sha256 = await checksumOf(file);
  const creation = await callRoute("POST /uploads", {
    body: {
      content_type: contentTypeOf(file),
      size_bytes: file.size,
      ...(file.name && { filename: file.name.slice(0, 255) }),
      ...(sha256 && { sha256 }),
    },
    ...(signal && { signal }),
  });
  if (creation.ok) rememberId("upload", creation.data.id);
  return creation;
}

/** The upload's current state with a fresh URL; a new upload if the old one is gone. */
async function stateOf(upload: Upload, file: File, signal?: AbortSignal): Promise<GatewayResult<Upload>> {
  const state = await callRoute("GET /uploads/{id}", {
    params: { id: upload.id },
    ...(signal ? { signal } : {}),
  });
  const isGone = state.ok ? state.data.status === "expired" : state.error.status === 404;
  if (isGone) forgetUnfinished(upload.id);
  return isGone ? createUpload(file, signal) : state;
}

/**
 * Returns the failure. After connection and gateway errors, and after any error of a large file, a retry
 * continues this upload.
 */
function keptFor(file: File, upload: Upload | null, error: GatewayFailure): GatewayResult<Upload> {
  if (upload && (isLarge(file) || error.status === 0 || error.status === 429 || error.status >= 500))
    unfinished.set(file, upload);
  return { ok: false, error };
}

/** Sends the bytes in one request. Null: they were accepted. */
async function putBytes(
  upload: Upload,
  file: File,
  onSent: (sentBytes: number) => void,
  signal?: AbortSignal,
): Promise<GatewayFailure | null> {
  const { upload_url: url, upload_method: method, upload_headers: headers } = upload;
  if (!url) return localFailure("upload_not_usable", "The gateway returned no upload URL. Try again.");
  const sent = await sendBytes({ method, url, headers, body: file, onSent, signal });
  return sent.ok ? null : sent.failure;
}

/** Larger files get no checksum, which would need the whole file in memory. */
const checksumMaxBytes = 32 * 1024 * 1024;

/**
 * SHA-256 in hex, with which verifying detects a damaged transfer. Null: the browser cannot compute it (plain
 * http).
 */
async function checksumOf(file: File): Promise<string | null> {
  if (file.size > checksumMaxBytes || !globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
