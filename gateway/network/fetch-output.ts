import type { Readable } from "node:stream";
import { request } from "undici";
import type { Context } from "#gateway/context.ts";
import { ProviderError } from "#gateway/providers/provider.ts";

const headersTimeoutMs = 30_000;
const bodyIdleTimeoutMs = 60_000;

/** Opens an upstream output URL. The address comes from a provider that the operator configured, not from a user. */
export async function fetchOutput(context: Context, url: string, signal: AbortSignal): Promise<Readable> {
  const answer = await request(url, {
    signal,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyIdleTimeoutMs,
  });
  if (answer.statusCode !== 200) {
    answer.body.resume();
    context.log.warn({ status: answer.statusCode }, "an output of a provider could not be fetched");
    throw new ProviderError(
      "upstream_invalid_response",
      `The provider's output could not be read (HTTP ${answer.statusCode}).`,
      {
        started: "yes",
      },
    );
  }
  return answer.body;
}
