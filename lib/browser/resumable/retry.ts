import type { GatewayFailure, GatewayResult } from "../../gateway/result.ts";

const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/**
 * Waits before the next attempt: longer after each failure, but not once the browser is online again. Rejects
 * when aborted.
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
 * Whether a retry may succeed: connection lost, gateway or store unavailable, or another request holds the
 * upload.
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
