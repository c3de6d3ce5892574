import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { verifySnippets } from "../verify-snippets.ts";

const secret = "whsec_test_3f9c1d0a";
const body = '{"id":"evt_01J","type":"prediction.succeeded","data":{"id":"pred_1"}}';
export const startTimeoutMs = 60_000;

/** How to start each receiver. */
const starters: Record<string, (file: string, port: number) => [string, string[]]> = {
  "node-stripe": (file) => [process.execPath, [file]],
  node: (file) => [process.execPath, [file]],
  python: (file) => ["python3", [file]],
  go: (file) => ["go", ["run", file]],
  php: (file, port) => ["php", ["-S", `127.0.0.1:${port}`, file]],
};

/** The receivers that the console offers: those for Node, and those that need another language. */
export const receivers = {
  node: ["node-stripe", "node"],
  other: ["python", "go", "php"],
} as const;

let folder: string;
let running: ChildProcess | null = null;

/** Call it once in a test file. Each test gets a folder, and its processes end with the test. */
export function setUpSnippets(): void {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "gatehouse-snippet-"));
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  });
  afterEach(() => {
    if (running?.pid) process.kill(-running.pid, "SIGKILL");
    running = null;
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The receiver accepts requests with the gateway's signature and refuses all others. */
export async function expectToVerify(id: string): Promise<void> {
  const url = await start(id);
  const now = Math.floor(Date.now() / 1000);
  const rotated = `${sign(now, "whsec_old")},v1=${sign(now).split("v1=")[1]}`;
  expect(await post(url, sign(now))).toBe(204);
  expect(await post(url, rotated)).toBe(204);
  expect(await post(url, sign(now), `${body} `)).toBe(400);
  expect(await post(url, sign(now, "whsec_other"))).toBe(400);
  expect(await post(url, sign(now - 301))).toBe(400);
  expect(await post(url, `t=${now}`)).toBe(400);
  expect(await post(url, "nonsense")).toBe(400);
}

/** A receiver accepts the curl script's request, and refuses it with another secret. */
export async function expectCurlToSign(): Promise<void> {
  const url = await start("node");
  const send = (key: string) =>
    execFileSync("sh", [save("curl")], {
      env: { ...process.env, WEBHOOK_SECRET: key, RECEIVER_URL: url },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  expect(send(secret)).toContain("204");
  expect(() => send("whsec_other")).toThrow();
}

function save(id: string): string {
  const snippet = verifySnippets.find((each) => each.id === id);
  if (!snippet) throw new Error(`no snippet ${id}`);
  const file = path.join(folder, snippet.fileName);
  writeFileSync(file, snippet.code);
  return file;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function start(id: string): Promise<string> {
  const port = await freePort();
  const starter = starters[id];
  if (!starter) throw new Error(`no way to start ${id}`);
  const [command, args] = starter(save(id), port);
  const receiver = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), GOCACHE: path.join(folder, "go") },
    detached: true,
    stdio: "ignore",
  });
  running = receiver;
  let failure: Error | null = null;
  receiver.once("error", (error) => {
    failure = error;
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && receiver.exitCode === null && !failure) {
    // Sends unsigned requests until the receiver answers.
    const answer = await fetch(url, { method: "POST", body: "{}" }).catch(() => null);
    if (answer) return url;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${id} did not start`, { cause: failure });
}

function sign(timestamp: number, key = secret): string {
  return `t=${timestamp},v1=${createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")}`;
}

async function post(url: string, header: string, sent = body): Promise<number> {
  return (await fetch(url, { method: "POST", body: sent, headers: { "x-svc-signature": header } })).status;
}
