import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";

/** What has been sent when a close begins may still be on its way. */
const graceMs = 100;

/**
 * Lets go of connections on which nothing was ever asked when the server closes. Browsers and connection pools open
 * them ahead; to Node they are requests that have begun, and a close would wait for each.
 */
export function installUnusedConnections(app: App): void {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", (request) => unused.delete(request.socket));
  app.addHook("preClose", async () => {
    if (unused.size > 0) await sleep(graceMs);
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  });
}
