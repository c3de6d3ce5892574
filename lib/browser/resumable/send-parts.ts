import type { Upload } from "#contract/upload.ts";
import { leastAppendBytes, uploadPartBytes } from "#contract/upload-constants.ts";
import type { GatewayFailure } from "../../gateway/result.ts";
import { callRoute } from "../gateway.ts";
import { sendBytes } from "../send-bytes.ts";
import { Pace } from "./pace.ts";
import { mayRetry, retryUntilDone, waitForRetry } from "./retry.ts";

/** Longer than storing or joining parts takes: a connection may be dead without an error. */
const stalledAfterMs = 60_000;

export interface PartsProgress {
  sentBytes: number;
  bytesPerSecond: number | null;
  /** The connection is broken; the upload continues by itself. */
  isWaiting: boolean;
}

interface Options {
  onProgress: (progress: PartsProgress) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a file in parts from where its upload stopped, over tus 1.0. A break costs one part at most, and
 * there is no limit to how long it waits for the connection. Returns null when everything was received, or a
 * failure that waiting does not fix.
 *
 * `tus-js-client` would replace only the request for one part. A fresh URL after an expired signature, the wait
 * until the browser is online, `Retry-After` and the end of a dead connection would stay here, and pages with
 * uploads would load 16 kB of script instead of 2.
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
    if (!mayRetry(failure)) return failure;
    pace.restart();
    // An expired URL is replaced without waiting.
    if (failure.code !== "signature_expired" || failures > 0) {
      onProgress({ sentBytes: offset, bytesPerSecond: null, isWaiting: failure.status === 0 });
      await waitForRetry(failures, failure.retryAfterSeconds, signal);
    }
    failures += 1;
    const fresh = await retryUntilDone(
      () => callRoute("GET /uploads/{id}", { params: { id: upload.id }, ...(signal && { signal }) }),
      { signal, onWait: () => onProgress({ sentBytes: offset, bytesPerSecond: null, isWaiting: true }) },
    );
    if (!fresh.ok) return fresh.error;
    current = fresh.data;
  }
  return null;
}

/**
 * The end of the gateway's current part, or of the next one if the rest is too small for the gateway to
 * accept.
 */
function endOfPart(offset: number, sizeBytes: number): number {
  const end = (Math.floor(offset / uploadPartBytes) + 1) * uploadPartBytes;
  return Math.min(sizeBytes, end - offset < leastAppendBytes ? end + uploadPartBytes : end);
}
