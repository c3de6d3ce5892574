import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";

/** A request sent before the close may still be arriving. */
const graceMs = 100;

/**
 * Closes connections without any request when the server closes. Browsers and connection pools open them ahead; Node
 * treats them as requests that have started and would wait for each.
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
