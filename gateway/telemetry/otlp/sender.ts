import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
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
  const { request, Agent } = url.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });

  async function post(head: Buffer, items: Buffer, signal: AbortSignal): Promise<number> {
    const sent = request(url, {
      method: "POST",
      agent,
      signal,
      headers: {
        ...headers,
        "content-type": "application/x-protobuf",
        "content-length": head.length + items.length,
      },
    });
    sent.write(head);
    sent.end(items);
    const [answer] = (await once(sent, "response", { signal })) as [http.IncomingMessage];
    answer.resume();
    await once(answer, "end", { signal });
    return answer.statusCode ?? 0;
  }

  async function send(head: Buffer, items: Buffer): Promise<void> {
    // Not `AbortSignal.timeout`, which would go off for each request that was received long before.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    await tryUntilReceived(head, items, late.signal).finally(() => clearTimeout(timer));
  }

  async function tryUntilReceived(head: Buffer, items: Buffer, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const status = await post(head, items, signal).catch((error: unknown) => {
        if (signal.aborted || attempt >= waitsMs.length) throw error;
        return 503;
      });
      if (status >= 200 && status < 300) return;
      const waitMs = waitsMs[attempt];
      if (!retryable.includes(status) || waitMs === undefined) throw new Error(`${url} answered ${status}`);
      await sleep(waitMs, undefined, { signal, ref: false });
    }
  }

  return {
    // Not within the span that happened to be the last one.
    send: (head: Buffer, items: Buffer) => activeSpan.exit(() => send(head, items)),
    close: () => agent.destroy(),
  };
}
