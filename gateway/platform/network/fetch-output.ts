import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { type Dispatcher, request } from "undici";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { BlockedAddressError, createGuardedAgent } from "./address-guard.ts";
import { endInTime } from "./exchange.ts";
import { assertMayLeave } from "./quiet.ts";

const connectTimeoutMs = 10_000;
const headersTimeoutMs = 30_000;
const bodyIdleTimeoutMs = 60_000;
const totalTimeoutMs = 900_000;
/** The largest output that is copied, in bytes. */
export const maxOutputBytes = 1024 * 1024 * 1024;
const maxRedirects = 3;
const ports = [443];

interface Options {
  log: Logger;
  /**
   * The provider's own origins, configured by its operator: they may use plain http and private addresses.
   */
  ownOrigins: ReadonlySet<string>;
  /** Tests trust their own authority and allow its server's address. */
  caFile?: string | null;
  allowCidrs?: readonly string[];
}

export interface OutputFetcher {
  /**
   * Opens an output that announces at most `limit` bytes. Throws ProviderError: a missing, forbidden or too
   * large file is final, other failures may be temporary.
   */
  open(url: string, signal: AbortSignal, limit?: number): Promise<Readable>;
  close(): Promise<void>;
}

/**
 * Fetches output files from the URLs in a provider's answers. These URLs are not trusted: they and their
 * redirects pass the address guard, which allows only public https, except on the provider's own origins. No
 * key is sent.
 */
export function createOutputFetcher({ log, ownOrigins, ...guard }: Options): OutputFetcher {
  const guarded = createGuardedAgent({ allowCidrs: [], ...guard, ports, connectTimeoutMs });

  const openOne = async (target: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    try {
      return await request(target, {
        signal,
        headersTimeout: headersTimeoutMs,
        bodyTimeout: bodyIdleTimeoutMs,
        ...(!ownOrigins.has(target.origin) && { dispatcher: guarded }),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof BlockedAddressError)) throw unreadable("no connection", false, error);
      log.warn(
        { err: error, origin: target.origin },
        "an output of a provider is at an address that may not be fetched",
      );
      throw unreadable("its address is not allowed", true, error);
    }
  };

  return {
    async open(url, signal, limit = maxOutputBytes) {
      assertMayLeave();
      let target = webUrl(url);
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const answer = await openOne(target, signal);
        const { location } = answer.headers;
        if (answer.statusCode === 200) {
          if (!(Number(answer.headers["content-length"]) > limit))
            return endInTime(answer.body, totalTimeoutMs, () => unreadable("it took too long", false));
          answer.body.on("error", () => {}).destroy();
          throw outputTooLarge();
        }
        answer.body.on("error", () => {}).resume();
        if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== "string") {
          log.warn({ status: answer.statusCode }, "an output of a provider could not be fetched");
          throw unreadable(`HTTP ${answer.statusCode}`, answer.statusCode >= 400 && answer.statusCode < 500);
        }
        target = webUrl(URL.parse(location, target)?.href ?? location);
      }
      throw unreadable("too many redirects", true);
    },
    close: () => guarded.destroy(),
  };
}

export function outputTooLarge(): ProviderError {
  return new ProviderError(
    "upstream_invalid_response",
    "The provider's output is too large to be copied. Request a smaller output.",
    {
      started: "yes",
      final: true,
    },
  );
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
    { started: "yes", final, cause },
  );
}
