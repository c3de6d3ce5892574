import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A fast HTTPS receiver in a process of its own; tells when the first bytes of each event came. */
process.once("message", (certificate: { key: string; cert: string }) => {
  let arrivals: [eventId: string, atMs: number][] = [];
  const server = createServer({ ...certificate, keepAlive: true }, (request, response) => {
    arrivals.push([String(request.headers["x-svc-event-id"]), performance.timeOrigin + performance.now()]);
    request.resume().once("end", () => response.writeHead(204).end());
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("message", () => {
    process.send?.(arrivals);
    arrivals = [];
  });
});
