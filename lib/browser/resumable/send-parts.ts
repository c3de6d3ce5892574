import type { Upload } from "#contract/upload.ts";
import { leastAppendBytes, uploadPartBytes } from "#contract/upload-constants.ts";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import { callRoute } from "../gateway.ts";
import { sendBytes } from "../send-bytes.ts";

/** Longer than the gateway needs to store or join parts. A connection can be dead without an error. */
const stalledAfterMs = 60_000;

export interface PartsProgress {
  sentBytes: number;
  bytesPerSecond: number | null;
  /** True while the connection is broken. The upload continues automatically. */
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
    // Replaces an expired URL without waiting.
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
 * The end of the current part, or of the next one if the rest would be too small for the gateway to accept.
 */
function endOfPart(offset: number, sizeBytes: number): number {
  const end = (Math.floor(offset / uploadPartBytes) + 1) * uploadPartBytes;
  return Math.min(sizeBytes, end - offset < leastAppendBytes ? end + uploadPartBytes : end);
}

const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/**
 * Waits before the next attempt, longer after each failure. Stops waiting when the browser comes online.
 * Rejects when aborted.
 */
export function waitForRetry(
  failures: number,
  retryAfterSeconds: number | null,
  signal?: AbortSignal,
): Promise<void> {
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      window.removeEventListener("online", resume);
      signal?.removeEventListener("abort", stop);
      settle();
    };
    const resume = end(resolve);
    const stop = end(() => reject(signal?.reason));
    const timer = setTimeout(resume, Math.max(pauseMs, (retryAfterSeconds ?? 0) * 1000));
    if (signal?.aborted) return stop();
    window.addEventListener("online", resume);
    signal?.addEventListener("abort", stop);
  });
}

const passingCodes = ["signature_expired", "upload_locked", "upload_offset_mismatch"];

/**
 * Whether a retry may succeed: the connection was lost, the gateway or the store is unavailable, or another
 * request is writing the upload.
 */
export function mayRetry({ status, code }: GatewayFailure): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500 || passingCodes.includes(code);
}

interface Patience {
  signal?: AbortSignal | undefined;
  onWait: (failure: GatewayFailure) => void;
}

/** Repeats a call until it succeeds or fails for good. */
export async function retryUntilDone<Data>(
  call: () => Promise<GatewayResult<Data>>,
  { signal, onWait }: Patience,
): Promise<GatewayResult<Data>> {
  for (let failures = 0; ; failures += 1) {
    const answer = await call();
    if (answer.ok || !mayRetry(answer.error)) return answer;
    onWait(answer.error);
    await waitForRetry(failures, answer.error.retryAfterSeconds, signal);
  }
}

/**
 * Only the last seconds count, because connections change and the rate before a break says nothing about the
 * rate now.
 */
const windowMs = 10_000;
/** Shortest measurement. With less data the rate would jump. */
const minMs = 1_000;

/** Upload rate in the last seconds. */
export class Pace {
  private samples: { at: number; bytes: number }[] = [];

  /**
   * Records the total of bytes sent at a time in ms. A smaller total than before starts a new measurement.
   */
  note(bytes: number, at: number): void {
    const last = this.samples.at(-1);
    if (last && bytes < last.bytes) this.samples = [];
    this.samples.push({ at, bytes });
    while ((this.samples[0]?.at ?? at) < at - windowMs) this.samples.shift();
  }

  /** Starts a new measurement after the connection broke. */
  restart(): void {
    this.samples = [];
  }

  /** Bytes per second. Null while there is too little data. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < minMs) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  }
}
