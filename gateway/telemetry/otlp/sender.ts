import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { activeSpan } from "../active-span.ts";

/** By OTLP's own words these are worth another try. */
const retryable = [429, 502, 503, 504];
const waitsMs = [1_000, 1_500, 2_250, 3_375];

export interface Destination {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
}

/** Sends OTLP over HTTP. Rejects when it was not received within the time-out, after as many tries as fit into it. */
export function createSender({ url, headers, timeoutMs }: Destination) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: 2 });
  const request = {
    path: `${pathname}${search}`,
    method: "POST",
    headers: { ...headers, "content-type": "application/x-protobuf" },
  } as const;

  async function post(body: Buffer, signal: AbortSignal): Promise<number> {
    const answer = await pool.request({ ...request, body, signal });
    await answer.body.dump();
    return answer.statusCode;
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

  async function send(head: Buffer, items: Buffer): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`${url} did not answer in time`)), timeoutMs);
    try {
      await tryUntilReceived(Buffer.concat([head, items]), late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    // Not within the span that happened to be the last one.
    send: (head: Buffer, items: Buffer) => activeSpan.exit(() => send(head, items)),
    close: () => pool.destroy(),
  };
}
