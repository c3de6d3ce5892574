import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatch } from "./batch.ts";

const logLines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });
/** As in batch.ts: rows per statement, and rows that may wait. */
const atOnce = 5_000;
const maxWaiting = 50_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  logLines.length = 0;
});

it("writes items that were added together, within half a second and in order", async () => {
  const written: number[][] = [];
  const batch = createBatch<number>("rows", log, async (items) => void written.push(items));
  for (const item of [1, 2, 3]) batch.add(item);
  expect(batch.waiting()).toBe(3);
  await vi.advanceTimersByTimeAsync(500);
  expect(written).toEqual([[1, 2, 3]]);
  expect(batch.waiting()).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(written).toHaveLength(1);
  await batch.close();
});

it("keeps items that could not be written, ahead of later items", async () => {
  const written: number[][] = [];
  let isAway = true;
  const batch = createBatch<number>("rows", log, async (items) => {
    if (isAway) throw new Error("no database");
    written.push(items);
  });
  batch.add(1);
  await batch.flush();
  expect(logLines.join("")).toContain("no database");
  expect(batch.waiting()).toBe(1);
  batch.add(2);
  isAway = false;
  await batch.flush();
  expect(written).toEqual([[1, 2]]);
});

it("writes many items in statements of a bounded size, and stops at the first statement that fails", async () => {
  const sizes: number[] = [];
  const batch = createBatch<number>("rows", log, async (items) => {
    sizes.push(items.length);
    if (sizes.length === 2) throw new Error("no database");
  });
  for (let item = 0; item < 2 * atOnce + 1; item += 1) batch.add(item);
  await batch.flush();
  expect(sizes).toEqual([atOnce, atOnce]);
  expect(batch.waiting()).toBe(atOnce + 1);
  await batch.flush();
  expect(sizes.slice(2)).toEqual([atOnce, 1]);
});

it("drops the oldest items when too many wait, unless all must be kept", async () => {
  const away = async () => {
    throw new Error("no database");
  };
  const dropping = createBatch<number>("log", log, away);
  const keeping = createBatch<number>("usage", log, away, "keep all");
  for (let item = 0; item < maxWaiting + 10; item += 1) {
    dropping.add(item);
    keeping.add(item);
  }
  await Promise.all([dropping.flush(), keeping.flush()]);
  expect(dropping.waiting()).toBe(maxWaiting);
  expect(keeping.waiting()).toBe(maxWaiting + 10);
});

it("writes waiting items when it is closed", async () => {
  const written: number[] = [];
  const batch = createBatch<number>("rows", log, async (items) => void written.push(...items));
  batch.add(1);
  await batch.close();
  expect(written).toEqual([1]);
});
