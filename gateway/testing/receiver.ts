import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "./certificates.ts";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body's bytes as unchanged text, because signatures cover these bytes. */
  body: string;
  atMs: number;
}

/** Answers one request; the default is 204. `body` was read already. */
export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** An HTTPS server that keeps what it receives. */
export interface Receiver {
  /** `https://127.0.0.1:<port>` */
  url: string;
  port: number;
  received: Received[];
  /** Sets how requests are answered from now on. */
  answer(answer: Answer): void;
  /** The first request, past or future, that passes the check. */
  next(check?: (received: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

/** Starts a receiver on 127.0.0.1; port 0 takes a free one. */
export async function startReceiver(certificate: Certificate, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<(one: Received) => void>();
  let answer: Answer = (_received, response) => response.writeHead(204).end();
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender broke the connection.
    }
    const one: Received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
      atMs: Date.now(),
    };
    received.push(one);
    answer(one, response, request);
    for (const tell of waiting) tell(one);
  });
  server.on("tlsClientError", () => {}); // A sender that does not trust this certificate reports the error itself.
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${chosen}`,
    port: chosen,
    received,
    answer(next) {
      answer = next;
    },
    next(check = () => true) {
      const past = received.find(check);
      if (past) return Promise.resolve(past);
      return new Promise((resolve) => {
        const tell = (one: Received): void => {
          if (!check(one)) return;
          waiting.delete(tell);
          resolve(one);
        };
        waiting.add(tell);
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
