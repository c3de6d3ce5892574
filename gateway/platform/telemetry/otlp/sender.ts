import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { activeSpan } from "../active-span.ts";

/** By OTLP's own words these are worth another try. */
const retryable = [429, 502, 503, 504];
const waitsMs = [1_000, 1_500, 2_250, 3_375];
/** An answer says little; the rest of a longer one is not read. */
const longestAnswerBytes = 64_000;
const connections = 2;

export interface Destination {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
}

/**
 * Sends OTLP over HTTP. Rejects when it was not received within the time-out, after as many tries as fit into it. By undici, as
 * calls of upstreams: a client of `node:http` shares its code with the server, which V8 then compiles for both, and slower.
 */
export function createSender({ url, headers, timeoutMs }: Destination) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections });
  const request = {
    method: "POST",
    path: pathname + search,
    headers: { ...headers, "content-type": "application/x-protobuf" },
  } as const;

  async function send(body: Buffer): Promise<void> {
    // Not `AbortSignal.timeout`, which would go off for each request that was received long before.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    await tryUntilReceived(body, late.signal).finally(() => clearTimeout(timer));
  }

  async function tryUntilReceived(body: Buffer, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const status = await post(body, signal).catch((error: unknown) => {
        if (signal.aborted || attempt >= waitsMs.length) throw error;
        return 503;
      });
      if (status >= 200 && status < 300) return;
      const waitMs = waitsMs[attempt];
      if (!retryable.includes(status) || waitMs === undefined) throw new Error(`${url} answered ${status}`);
      await sleep(waitMs, undefined, { signal, ref: false });
    }
  }

  async function post(body: Buffer, signal: AbortSignal): Promise<number> {
    const sent = exchange(pool, { ...request, body }, { maxBytes: longestAnswerBytes, signal });
    return (await sent.answer).status;
  }

  return {
    // Not within the span that happened to be the last one.
    send: (body: Buffer) => activeSpan.exit(() => send(body)),
    close: () => pool.destroy(),
  };
}
