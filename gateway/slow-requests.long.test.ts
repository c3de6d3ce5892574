import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway } from "./testing/gateway.ts";
import { endProgram, freePort } from "./testing/program.ts";

/**
 * Thirty seconds until the first byte of a request, thirty for a body, 72 of silence, and Node's check every
 * thirty.
 */
const cutWithinMs = 115_000;
const everyMs = 1_000;

let endConsole: () => Promise<void>;
const ports = { gateway: 0, console: 0 };

const gateway = shared(startTestGateway);
beforeAll(async () => {
  ports.gateway = gateway.context.config.port;
  ports.console = await freePort();
  const program = spawn(process.execPath, ["scripts/start.mjs", "console"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      GATEHOUSE_ENV_FILE: "",
      GATEHOUSE_DATA_DIR: newFolder("slow"),
      GATEWAY_URL: gateway.context.config.publicUrl,
      PORT: String(ports.console),
    },
  });
  endConsole = () => endProgram(program, "SIGTERM");
  const asked = () => fetch(`http://127.0.0.1:${ports.console}/sign-in`);
  // The console is built first if necessary, so its first answer may take a while.
  await vi.waitFor(async () => expect((await asked()).status).toBe(200), { timeout: 240_000, interval: 500 });
});
afterAll(async () => {
  await endConsole();
});

const post = (url: string, size: number) =>
  `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
const targets = [
  { program: "gateway", page: "/healthz", form: "/v1/account/sessions" },
  { program: "console", page: "/sign-in", form: "/sign-in" },
] as const;
type Target = (typeof targets)[number];

/** The bytes that a client sends at once, and then each second. */
const slowClients: [string, (target: Target) => { first: string; later: string }][] = [
  ["a connection without a byte", () => ({ first: "", later: "" })],
  ["headers, one byte a second", ({ page }) => ({ first: `GET ${page} HTTP/1.1\r\nHost: `, later: "a" })],
  ["headers that stop", ({ page }) => ({ first: `GET ${page} HTTP/1.1\r\nHost: x\r\n`, later: "" })],
  ["a body, one byte a second", ({ form }) => ({ first: post(form, 10_000), later: "a" })],
  ["a body of which nothing arrives", ({ form }) => ({ first: post(form, 10_000), later: "" })],
  ["no second request", ({ page }) => ({ first: `GET ${page} HTTP/1.1\r\nHost: x\r\n\r\n`, later: "" })],
];

/** Sends slowly; returns after how many seconds the server closed the connection, or null. */
async function secondsUntilCut(port: number, { first, later }: { first: string; later: string }) {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  const since = performance.now();
  socket.write(first);
  const sending = setInterval(() => socket.writable && socket.write(later), everyMs);
  const patience = setTimeout(() => socket.destroy(), cutWithinMs);
  await once(socket, "close");
  clearTimeout(patience);
  clearInterval(sending);
  const ms = performance.now() - since;
  return ms < cutWithinMs - everyMs ? Math.round(ms / 1000) : null;
}

it.concurrent(
  "slow clients are disconnected by the gateway and by the console",
  async () => {
    const rows = targets.flatMap((target) =>
      slowClients.map(async ([client, bytesOf]) => {
        const seconds = await secondsUntilCut(ports[target.program], bytesOf(target));
        return { program: target.program, client, seconds };
      }),
    );
    const table = await Promise.all(rows);
    if (process.env.SHOW) console.table(table);
    expect(table.filter(({ seconds }) => seconds === null)).toEqual([]);
  },
  cutWithinMs + 20_000,
);

it.concurrent("a body that takes longer than the limit, but keeps arriving, is read", async () => {
  const size = 45_000;
  const body = JSON.stringify({ email: "a@example.com", password: "a" }).padEnd(size, " ");
  const socket = connect(ports.gateway, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(post("/v1/account/sessions", size));
  let sent = 0;
  const sending = setInterval(() => {
    socket.write(body.slice(sent, sent + 1_000));
    sent += 1_000;
    if (sent >= size) clearInterval(sending);
  }, everyMs);
  await vi.waitFor(() => expect(answer).toContain("invalid_credentials"), {
    timeout: 150_000,
    interval: 500,
  });
  clearInterval(sending);
  socket.destroy();
});
