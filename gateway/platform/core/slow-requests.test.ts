import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { cutSlowRequests } from "./slow-requests.ts";

const quick = { maxBodyMs: 200, minBytesPerSecond: 1_000, checkEveryMs: 20 };

async function listen(server: Server): Promise<number> {
  cutSlowRequests(server, quick);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Sends `bytes` at a time until the body is complete or the server ends the connection; returns the answer.
 */
async function send(port: number, { bytes, everyMs }: { bytes: number; everyMs: number }): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  const ended = once(socket, "close");
  const size = 2_000;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
  for (let sent = 0; sent < size && !socket.destroyed; sent += bytes) {
    socket.write("a".repeat(bytes));
    await Promise.race([sleep(everyMs), ended]);
  }
  await ended;
  return answer;
}

it("a body that takes longer than the limit is read while its bytes keep arriving", async () => {
  const port = await listen(
    createServer((request, answer) => request.resume().on("end", () => answer.end("read"))),
  );
  expect(await send(port, { bytes: 100, everyMs: 25 })).toMatch(/^HTTP\/1\.1 200 .*read/s);
});

it("a body that arrives byte by byte is a 408, and its connection is closed", async () => {
  const port = await listen(
    createServer((request, answer) => request.resume().on("end", () => answer.end("read"))),
  );
  expect(await send(port, { bytes: 1, everyMs: 20 })).toMatch(/^HTTP\/1\.1 408 /);
});

it("a client is not disconnected while its body waits for the server", async () => {
  const port = await listen(
    createServer((request, answer) => {
      const read = () => request.resume().on("end", () => answer.end("read"));
      setTimeout(read, 2 * quick.maxBodyMs);
    }),
  );
  expect(await send(port, { bytes: 1_000, everyMs: 2 * quick.maxBodyMs })).toMatch(/read/);
});
