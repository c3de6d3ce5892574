import type { Readable } from "node:stream";
import { type Dispatcher, request as send } from "undici";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type AddressPolicy, checkUrl, createGuardedAgent } from "#gateway/platform/network/address-guard.ts";
import { BlockedAddressError, NameNotResolvedError } from "#gateway/platform/network/guarded-connector.ts";
import { tooLarge } from "./request-files.ts";

const connectTimeoutMs = 5000;
export interface SourceRequest {
  accountId: string;
  /** What the caller wrote into the field. */
  text: string;
  /** The field, for errors. */
  param: string;
  maxBytes: number;
  signal: AbortSignal;
}

export interface MediaSource {
  body: Readable | Buffer;
  /** Always called, whether or not the body was read. */
  close(): Promise<void>;
}

/** From the first look-up to the last byte, with redirects. */
const totalTimeoutMs = 30_000;
const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a user's https URL through the address guard; every redirect is checked as the first address was. Throws
 * `media_fetch_failed` or `input_too_large`, naming the field.
 */
export async function fetchMedia(context: Context, source: SourceRequest): Promise<MediaSource> {
  const { caFile } = context.config.webhooks;
  const agent = createGuardedAgent({ ...mediaPolicy(context), caFile, connectTimeoutMs });
  const deadline = AbortSignal.timeout(totalTimeoutMs);
  const signal = AbortSignal.any([source.signal, deadline]);
  const close = () => agent.destroy();
  try {
    const answer = await follow(context, source, agent, signal);
    const length = Number(answer.headers["content-length"]);
    if (length > source.maxBytes) throw tooLarge(source.param, source.maxBytes);
    return { body: answer.body, close };
  } catch (error) {
    await close();
    if (error instanceof ApiError || source.signal.aborted) throw error;
    const why = deadline.aborted ? "did not answer in time" : reasonOf(error);
    throw fetchFailed(source, why, error);
  }
}

function mediaPolicy({ config }: Context): AddressPolicy {
  return { ports: config.webhooks.ports, allowCidrs: config.mediaAllowCidrs };
}

async function follow(
  context: Context,
  source: SourceRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let text = withoutFragment(source.text);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const checked = checkUrl(text, mediaPolicy(context));
    if (!checked.ok)
      throw fetchFailed(source, hop === 0 ? checked.reason : `redirects to a URL that ${checked.reason}`);
    const answer = await send(checked.url, {
      dispatcher,
      signal,
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "gatehouse" },
    });
    if (answer.statusCode === 200) return answer;
    answer.body.on("error", () => {}).destroy();
    const { location } = answer.headers;
    if (!redirectStatuses.has(answer.statusCode) || typeof location !== "string")
      throw fetchFailed(source, `answered ${answer.statusCode}`);
    text = withoutFragment(URL.parse(location, checked.url)?.href ?? location);
  }
  throw fetchFailed(source, `redirects more than ${maxRedirects} times`);
}

function fetchFailed({ param }: SourceRequest, why: string, cause?: unknown): ApiError {
  return new ApiError("media_fetch_failed", `${param} could not be fetched: the URL ${why}.`, {
    param,
    cause,
  });
}

function reasonOf(error: unknown): string {
  // The same message for both, so that it does not reveal names of a private network.
  if (error instanceof BlockedAddressError || error instanceof NameNotResolvedError)
    return "does not lead to a public address";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "" ? "could not be read" : `could not be read (${code})`;
}

function withoutFragment(text: string): string {
  return text.split("#")[0] ?? text;
}
