import { setTimeout as after } from "node:timers/promises";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Say a word." }], max_tokens: 4 };
/** The sandbox echoes it, token by token. */
const longMessage = { role: "user", content: "What is a gateway for? ".repeat(26) };
const clients = 12;
/** A refused or failed client retries after this. */
const pauseMs = 100;

export interface Flood {
  admitted: number;
  /** Resolves after the last answer, with the duration of the flood. */
  stop(): Promise<number>;
}

/** Requests one chat and returns the status, 0 without an answer. */
export async function askChat(url: string, key: string): Promise<number> {
  const response = await post(url, key, chat).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? 0;
}

/** More chats of one key than its limit allows, at all of these gateways. */
export function startFlood(urls: string[], key: string): Flood {
  const startedAt = performance.now();
  let stopped = false;
  const flood: Flood = {
    admitted: 0,
    async stop() {
      stopped = true;
      await work;
      return performance.now() - startedAt;
    },
  };
  const work = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (!stopped) {
        const status = await askChat(urls[client % urls.length] ?? "", key);
        if (status === 200) flood.admitted += 1;
        else await after(pauseMs);
      }
    }),
  );
  return flood;
}

/** Begins a stream that lasts some seconds, and so occupies a place of its key. */
export async function occupyPlace(url: string, key: string): Promise<void> {
  const response = await post(url, key, { ...chat, max_tokens: 400, stream: true, messages: [longMessage] });
  if (response.status !== 200) throw new Error(await response.text());
  response.text().catch(() => {}); // The stream ends when the gateway is killed.
}

function post(url: string, key: string, body: object): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(40_000),
  });
}
