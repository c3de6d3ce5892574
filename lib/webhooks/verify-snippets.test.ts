// @vitest-environment node
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifySnippets } from "./verify-snippets.ts";

const secret = "whsec_test_3f9c1d0a";
const body = '{"id":"evt_01J","type":"prediction.succeeded","data":{"id":"pred_1"}}';
const startTimeoutMs = 60_000;

const starters: Record<string, (file: string, port: number) => [string, string[]]> = {
  "node-stripe": (file) => [process.execPath, [file]],
  node: (file) => [process.execPath, [file]],
  python: (file) => ["python3", [file]],
  go: (file) => ["go", ["run", file]],
  php: (file, port) => ["php", ["-S", `127.0.0.1:${port}`, file]],
};

let folder: string;
let running: ChildProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "gatehouse-snippet-"));
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
});

afterEach(() => {
  if (running?.pid) process.kill(-running.pid, "SIGKILL");
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

function isInstalled(command: string): boolean {
  const probe = spawnSync(command, [command === "go" || command === "openssl" ? "version" : "--version"], {
    stdio: "ignore",
  });
  return probe.status === 0;
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
  const [command, args] = (starters[id] ?? (() => ["false", []]))(save(id), port);
  running = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), GOCACHE: path.join(folder, "go") },
    detached: true,
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && running.exitCode === null) {
    // An unsigned request is the probe: the receiver answers as soon as it listens.
    const answer = await fetch(url, { method: "POST", body: "{}" }).catch(() => null);
    if (answer) return url;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${id} did not start`);
}

function sign(timestamp: number, key = secret): string {
  return `t=${timestamp},v1=${createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")}`;
}

async function post(url: string, header: string, sent = body): Promise<number> {
  return (await fetch(url, { method: "POST", body: sent, headers: { "x-svc-signature": header } })).status;
}

/** A language that this machine lacks has no test here, rather than one that is passed over. */
const runnable = Object.keys(starters).filter((id) => isInstalled(starters[id]?.("", 0)[0] ?? ""));

describe.each(runnable)("the %s receiver", (id) => {
  it("accepts what the gateway signs and refuses the rest", { timeout: startTimeoutMs }, async () => {
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
  });
});

describe.each(isInstalled("curl") && isInstalled("openssl") ? ["curl"] : [])("the %s script", () => {
  it("is accepted by a receiver, and refused with another secret", { timeout: startTimeoutMs }, async () => {
    const url = await start("node");
    const send = (key: string) =>
      execFileSync("sh", [save("curl")], {
        env: { ...process.env, WEBHOOK_SECRET: key, RECEIVER_URL: url },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    expect(send(secret)).toContain("204");
    expect(() => send("whsec_other")).toThrow();
  });
});
