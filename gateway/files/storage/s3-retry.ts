import { setTimeout as sleep } from "node:timers/promises";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";

const attempts = 3;
const pauses: RetrySchedule = { firstMs: 100, factor: 2 };

/** Error names of Node and the SDK for a failed or broken connection. */
const networkFailures = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "TimeoutError",
]);
/** Temporary errors that their status does not reveal. */
const passingRefusals = new Set(["SlowDown", "RequestTimeout"]);
const tooManyRequests = 429;

/** Retries temporary failures after a pause. */
export async function withRetry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made === attempts || !mayPass(error)) throw error;
      await sleep(retryWaitMs(pauses, made));
    }
  }
}

function mayPass(error: unknown): boolean {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return networkFailures.has(code ?? "") || networkFailures.has(name ?? "");
  return status >= 500 || status === tooManyRequests || passingRefusals.has(name ?? "");
}
