import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import type { Context } from "#gateway/context.ts";
import { startSweeps } from "./sweeps.ts";

const logLines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });
/** Sweeps every half second, the shortest interval. */
const context = { log, config: { retentionMs: 1 } } as Context;

afterEach(() => {
  vi.useRealTimers();
  logLines.length = 0;
});

it("sweeps at the start and then periodically, one after the other", async () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  const sweep = (name: string) => ({
    name,
    run: async () => {
      calls.push(`${name} begins`);
      await Promise.resolve();
      calls.push(`${name} ends`);
    },
  });
  const sweeps = startSweeps(context, [sweep("a"), sweep("b")]);
  await vi.advanceTimersByTimeAsync(0);
  const once = ["a begins", "a ends", "b begins", "b ends"];
  expect(calls).toEqual(once);
  await vi.advanceTimersByTimeAsync(500);
  expect(calls).toEqual([...once, ...once]);
  await sweeps.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toHaveLength(8);
});

it("a failing sweep does not block others and is retried", async () => {
  vi.useFakeTimers();
  let failed = 0;
  let swept = 0;
  const sweeps = startSweeps(context, [
    {
      name: "uploads",
      run: async () => {
        failed += 1;
        throw new Error("no database");
      },
    },
    { name: "sessions", run: async () => (swept += 1) },
  ]);
  await vi.advanceTimersByTimeAsync(500);
  await sweeps.stop();
  expect([failed, swept]).toEqual([2, 2]);
  expect(logLines.join("")).toContain("sweep of uploads failed");
});

it("a stop waits for the current sweep and starts no other", async () => {
  const under = Promise.withResolvers<void>();
  let others = 0;
  const sweeps = startSweeps(context, [
    { name: "long", run: () => under.promise },
    { name: "other", run: async () => (others += 1) },
  ]);
  let stopped = false;
  const stop = sweeps.stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  under.resolve();
  await stop;
  expect(others).toBe(0);
});
