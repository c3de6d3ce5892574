import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

/** A fast HTTPS receiver and one that never answers; tells when the first bytes of each event came to the fast one. */
process.once("message", async (certificate: { key: string; cert: string }) => {
  let arrivals: [eventId: string, atMs: number][] = [];
  const fast = createServer({ ...certificate, keepAlive: true }, (request, response) => {
    arrivals.push([String(request.headers["x-svc-event-id"]), performance.timeOrigin + performance.now()]);
    request.resume().once("end", () => response.writeHead(204).end());
  });
  const hole = createServer(certificate, (request) => request.resume());
  process.send?.(await Promise.all([fast, hole].map(listen)));
  process.on("message", () => {
    process.send?.(arrivals);
    arrivals = [];
  });
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
