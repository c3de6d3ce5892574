import type { Upload } from "#contract/upload.ts";
import { leastAppendBytes, uploadPartBytes } from "#contract/upload-constants.ts";
import type { GatewayFailure } from "../../gateway/result.ts";
import { callRoute } from "../gateway.ts";
import { sendBytes } from "../send-bytes.ts";
import { Pace } from "./pace.ts";
import { mayPass, patiently, untilRetry } from "./patiently.ts";

/** Longer than storing a part or joining them may take; a line without an error may be dead. */
const stalledAfterMs = 60_000;

export interface PartsProgress {
  sentBytes: number;
  bytesPerSecond: number | null;
  /** The connection is broken: it goes on by itself. */
  isWaiting: boolean;
}

interface Options {
  onProgress: (progress: PartsProgress) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a file part by part from where its upload stopped, over tus 1.0. What a break costs is a part at most; it waits
 * for the line as long as it takes. Null when all was received, or a failure that no waiting cures.
 */
export async function sendParts(
  upload: Upload,
  file: File,
  { onProgress, signal }: Options,
): Promise<GatewayFailure | null> {
  const pace = new Pace();
  let current = upload;
  let failures = 0;
  const report = (sentBytes: number) => {
    pace.note(sentBytes, performance.now());
    onProgress({ sentBytes, bytesPerSecond: pace.bytesPerSecond, isWaiting: false });
  };
  while (current.status === "pending" && current.received_bytes < file.size) {
    const offset = current.received_bytes;
    report(offset);
    const sent = await sendBytes({
      method: "PATCH",
      url: current.resume_url ?? "",
      headers: {
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": String(offset),
        "Content-Type": "application/offset+octet-stream",
      },
      body: file.slice(offset, endOfPart(offset, file.size)),
      onSent: (bytes) => report(offset + bytes),
      signal,
      stalledAfterMs,
    });
    if (sent.ok) {
      failures = 0;
      current = { ...current, received_bytes: Number(sent.header("upload-offset")) };
      continue;
    }
    if (sent.failure.code === "upload_already_received") return null;
    const { failure } = sent;
    if (!mayPass(failure)) return failure;
    pace.restart();
    // An address that has expired is replaced at once.
    if (failure.code !== "signature_expired" || failures > 0) {
      onProgress({ sentBytes: offset, bytesPerSecond: null, isWaiting: failure.status === 0 });
      await untilRetry(failures, failure.retryAfterSeconds, signal);
    }
    failures += 1;
    const fresh = await patiently(
      () => callRoute("GET /uploads/{id}", { params: { id: upload.id }, ...(signal && { signal }) }),
      { signal, onWait: () => onProgress({ sentBytes: offset, bytesPerSecond: null, isWaiting: true }) },
    );
    if (!fresh.ok) return fresh.error;
    current = fresh.data;
  }
  return null;
}

/** The next boundary of the gateway's parts, unless so little is left to it that the gateway would refuse it. */
function endOfPart(offset: number, sizeBytes: number): number {
  const end = (Math.floor(offset / uploadPartBytes) + 1) * uploadPartBytes;
  return Math.min(sizeBytes, end - offset < leastAppendBytes ? end + uploadPartBytes : end);
}
