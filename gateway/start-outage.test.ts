import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { type OwnServer, startOwnServer } from "./testing/own-server.ts";
import { endProgram, freePort, spawnProgram } from "./testing/program.ts";
import { type Relay, startRelay } from "./testing/relay.ts";

const timeout = 240_000;
/** A start on a busy machine. */
const soon = { timeout: 90_000, interval: 20 };

let server: OwnServer;
let relay: Relay;
beforeAll(async () => {
  server = await startOwnServer();
  relay = await startRelay({ host: server.socketDir });
}, timeout);
afterAll(async () => {
  await relay.close();
  await server.remove();
});

interface Start {
  program: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Waits until it has asked for the refused database this many times. */
  asksAgain(times: number): Promise<void>;
  /** The status of `/readyz`; 0 while nothing listens. */
  readiness(): Promise<number>;
  until(condition: () => Promise<boolean> | boolean): Promise<void>;
  isReady(): Promise<void>;
}

/** Starts the program on the relay. */
async function start(settings: Record<string, string> = {}): Promise<Start> {
  relay.restore();
  const dataDir = newFolder("start");
  const port = await freePort();
  const program = spawnProgram({
    DATABASE_URL: server.url.replace("localhost", `127.0.0.1:${relay.port}`).replace(/\?.*/, ""),
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    GATEWAY_PORT: String(port),
    DRAIN_MS: "1000",
    ...settings,
  });
  const pieces: string[] = [];
  for (const output of [program.stdout, program.stderr]) output?.on("data", (text) => pieces.push(`${text}`));
  onTestFinished(() => endProgram(program, "SIGKILL"));
  const output = () => pieces.join("");
  const answer = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  const readiness = async () => (await answer())?.status ?? 0;
  /** Waits for a condition; fails at once if the program ends. */
  const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
    const isMet = await vi.waitUntil(async () => (await condition()) || program.exitCode !== null, soon);
    expect([isMet, program.exitCode], output()).toEqual([true, null]);
  };
  const isReady = () => until(async () => output().includes("Gateway ready") && (await readiness()) === 200);
  const { refused } = relay;
  const asksAgain = (times: number) => until(() => relay.refused >= refused + times);
  return { program, output, asksAgain, readiness, until, isReady };
}

/** How many pieces a whole start sends to a migrated database. */
let pieces = 0;

it("a start survives that its database goes away while it migrates", { timeout }, async () => {
  relay.cutAfter(100);
  const first = await start();
  await first.asksAgain(1);
  relay.restore();
  await first.isReady();
  await endProgram(first.program, "SIGTERM");
  const before = relay.pieces;
  const whole = await start();
  await whole.isReady();
  pieces = relay.pieces - before;
  await endProgram(whole.program, "SIGTERM");
});

it.each([0.1, 0.3, 0.5, 0.7, 0.8, 0.9])("… and after %f of the start", { timeout }, async (part) => {
  relay.cutAfter(Math.ceil(pieces * part), "reset");
  const { program, output, asksAgain, isReady } = await start();
  await asksAgain(2);
  relay.restore();
  await isReady();
  await endProgram(program, "SIGTERM");
  expect(program.exitCode).toBe(0);
  expect(output()).not.toMatch(/after calling end|could not start/);
});

it("a database that stops when /readyz first says 200 ends nothing", { timeout }, async () => {
  const { program, output, readiness, until, isReady } = await start();
  while ((await readiness()) !== 200) expect(program.exitCode, output()).toBeNull();
  await server.stop();
  await until(async () => (await readiness()) === 503);
  await server.start();
  await isReady();
  await endProgram(program, "SIGTERM");
  expect(program.exitCode).toBe(0);
  expect(output()).not.toMatch(/after calling end|could not start/);
});

it("several processes on one port start although the database goes away meanwhile", { timeout }, async () => {
  const one = await start({ GATEWAY_PROCESSES: "2" });
  await one.until(async () => (await one.readiness()) !== 0);
  relay.cut("refused");
  await one.asksAgain(2);
  relay.restore();
  await one.isReady();
  await endProgram(one.program, "SIGTERM");
  expect(one.program.exitCode).toBe(0);
});

it("a start that waits for its database ends when it is asked to", { timeout }, async () => {
  relay.cutAfter(60);
  const { program, output, asksAgain } = await start();
  await asksAgain(3);
  program.kill("SIGTERM");
  expect(await once(program, "exit")).toEqual([0, null]);
  expect(output()).not.toMatch(/after calling end/);
});
