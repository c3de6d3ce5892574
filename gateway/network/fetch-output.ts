import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { request } from "undici";
import { ProviderError } from "#gateway/providers/provider.ts";

const headersTimeoutMs = 30_000;
const bodyIdleTimeoutMs = 60_000;
const maxRedirects = 3;

/**
 * Opens an upstream output URL. The address comes from a provider that the operator configured, not from a user; no key
 * is sent to it. A file that is not there is final, anything else may pass.
 */
export async function fetchOutput(log: Logger, url: string, signal: AbortSignal): Promise<Readable> {
  let target = webUrl(url);
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await open(target, signal);
    const location = answer.headers.location;
    if (answer.statusCode === 200) return answer.body;
    answer.body.resume();
    if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== "string") {
      log.warn({ status: answer.statusCode }, "an output of a provider could not be fetched");
      throw unreadable(`HTTP ${answer.statusCode}`, answer.statusCode >= 400 && answer.statusCode < 500);
    }
    target = webUrl(new URL(location, target).href);
  }
  throw unreadable("too many redirects", true);
}

async function open(target: URL, signal: AbortSignal) {
  try {
    return await request(target, {
      signal,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw unreadable("no connection", false, error);
  }
}

function webUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw unreadable("not a web address", true);
  return url;
}

function unreadable(reason: string, final: boolean, cause?: unknown): ProviderError {
  return new ProviderError(
    "upstream_invalid_response",
    `The provider's output could not be read (${reason}).`,
    {
      started: "yes",
      final,
      cause,
    },
  );
}
