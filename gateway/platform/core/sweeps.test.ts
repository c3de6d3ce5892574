import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import type { Context } from "#gateway/districts.ts";
import { type Sweep, startSweeps } from "./sweeps.ts";

const logLines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });
/** Sweeps every half second, the shortest interval. */
const context = { log, config: { retentionMs: 1 } } as Context;
const sweepOf = (kind: string, run: Sweep["run"]): Sweep => ({ kind, run, oldestDue: () => null });

afterEach(() => {
  vi.useRealTimers();
  logLines.length = 0;
});

it("sweeps at the start and then periodically, each time until nothing is due", async () => {
  vi.useFakeTimers();
  let due = 3;
  let runs = 0;
  const sweeps = startSweeps(context, [
    sweepOf("uploads", async () => {
      runs += 1;
      due = Math.max(0, due - 1);
      return due > 0;
    }),
  ]);
  await vi.advanceTimersByTimeAsync(0);
  expect([due, runs]).toEqual([0, 3]);
  due = 2;
  await vi.advanceTimersByTimeAsync(500);
  expect([due, runs]).toEqual([0, 5]);
  await sweeps.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(5);
});

it("neither a failing sweep nor a backlog delays another, and the failing one is retried", async () => {
  vi.useFakeTimers();
  let failed = 0;
  let swept = 0;
  const sweeps = startSweeps(context, [
    sweepOf("uploads", async () => {
      failed += 1;
      throw new Error("no database");
    }),
    sweepOf("predictions", async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return true;
    }),
    sweepOf("sessions", async () => {
      swept += 1;
      return false;
    }),
  ]);
  await vi.advanceTimersByTimeAsync(505);
  const stopped = sweeps.stop();
  await vi.advanceTimersByTimeAsync(10);
  await stopped;
  expect([failed, swept]).toEqual([2, 2]);
  expect(logLines.join("")).toContain("sweep of uploads failed");
});

it("a stop waits for the current batches and starts no other", async () => {
  const batch = Promise.withResolvers<boolean>();
  let batches = 0;
  const sweeps = startSweeps(context, [
    sweepOf("uploads", () => {
      batches += 1;
      return batch.promise;
    }),
  ]);
  let stopped = false;
  const stop = sweeps.stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  batch.resolve(true);
  await stop;
  expect(batches).toBe(1);
});
