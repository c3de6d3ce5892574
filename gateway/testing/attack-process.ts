import { setTimeout as after } from "node:timers/promises";
import { WebSocket } from "undici";

/**
 * The attack: one caller tries to delay all others. Runs in its own process, so that only the gateway is
 * measured.
 */
export interface Attack {
  /** Ends in `/v1`. */
  url: string;
  key: string;
  /** Requests that are sent at once, each again and again until the process gets the message to stop. */
  requests?: { method: string; path: string; body: string; atOnce: number; times: number };
  /** WebSockets that ask for a slow response, and then send large messages while it is written. */
  sockets?: { atOnce: number; messages: number; bytes: number };
}

/** How long a WebSocket waits for the answers to its last messages. */
const answersMs = 60_000;
const lastEvents = /^\{"type":"(response\.completed|response\.incomplete|response\.failed|error)"/;
const maxUnsentBytes = 8_000_000;

process.on("message", async (attack: Attack) => {
  const { requests, sockets } = attack;
  if (requests) await Promise.all(Array.from({ length: requests.atOnce }, () => sendAll(attack)));
  if (sockets) await Promise.all(Array.from({ length: sockets.atOnce }, () => occupy(attack)));
  process.send?.("done");
});

async function sendAll({ url, key, requests }: Attack): Promise<void> {
  const { method, path, body, times } = requests ?? { method: "GET", path: "", body: "", times: 0 };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let sent = 0; sent < times; sent += 1) {
    const answer = await fetch(`${url}${path}`, { method, headers, body }).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
  }
}

async function occupy({ url, key, sockets }: Attack): Promise<void> {
  const { messages, bytes } = sockets ?? { messages: 0, bytes: 0 };
  const socket = new WebSocket(`${url.replace("http", "ws")}/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const ended = Promise.withResolvers<void>();
  let unanswered = 1 + messages;
  socket.addEventListener("message", ({ data }) => {
    if (lastEvents.test(String(data))) unanswered -= 1;
    if (unanswered === 0) ended.resolve();
  });
  socket.addEventListener("close", () => ended.resolve());
  socket.addEventListener("error", () => ended.resolve());
  socket.addEventListener("open", async () => {
    const ask = (input: string) =>
      socket.send(JSON.stringify({ type: "response.create", model: "svc/chat-1", input }));
    ask("Say a long sentence about the harbour, its ships, its cranes and its gulls.");
    const large = "a ".repeat(bytes / 2);
    for (let sent = 0; sent < messages && socket.readyState === WebSocket.OPEN; sent += 1) {
      ask(large);
      while (socket.bufferedAmount > maxUnsentBytes && socket.readyState === WebSocket.OPEN) await after(10);
    }
  });
  await Promise.race([ended.promise, after(answersMs)]);
  socket.close();
}
