import type { AddressInfo } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";

/*
 * A fast HTTPS receiver and one that never answers. Reports when the first bytes of each event reach the fast
 * one. Unlike in production, sender and receiver share the cores, so the receiver parses as little HTTP as
 * possible: a receiver with `node:https` would cost as much as the plain loop that is measured.
 */
const answer = Buffer.from("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");

process.once("message", async (certificate: { key: string; cert: string }) => {
  let arrivals: [eventId: string, atMs: number][] = [];
  const fast = createServer(certificate, (socket) =>
    answerRequests(socket, (eventId) => arrivals.push([eventId, performance.timeOrigin + performance.now()])),
  );
  const hole = createServer(certificate, (socket) => socket.on("error", () => socket.destroy()).resume());
  process.send?.(await Promise.all([fast, hole].map(listen)));
  process.on("message", () => {
    process.send?.(arrivals);
    arrivals = [];
  });
});

/** Answers each request when it is complete, one at a time, as clients without pipelining send them. */
function answerRequests(socket: TLSSocket, arrived: (eventId: string) => void): void {
  let head = "";
  let bodyLeft = 0;
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    if (bodyLeft > 0) {
      bodyLeft -= bytes.length;
    } else {
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      arrived(headerOf(head, "x-svc-event-id"));
      bodyLeft = Number(headerOf(head, "content-length")) - (head.length - end - 4);
      head = "";
    }
    if (bodyLeft === 0) socket.write(answer);
  });
}

function headerOf(head: string, name: string): string {
  const start = head.indexOf(`\r\n${name}: `) + name.length + 4;
  return head.slice(start, head.indexOf("\r\n", start));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
