import { setTimeout as sleep } from "node:timers/promises";

const attempts = 3;
const firstPauseMs = 100;

/** How Node and the SDK name a connection that was not made or broke off. */
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
/** Errors that may pass and come with a status that does not say so. */
const passingRefusals = new Set(["SlowDown", "RequestTimeout"]);
const tooManyRequests = 429;

/** Tries again, after a pause, what failed for a reason that may pass. */
export async function inAttempts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made === attempts || !mayPass(error)) throw error;
      await sleep(firstPauseMs * 2 ** (made - 1));
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
