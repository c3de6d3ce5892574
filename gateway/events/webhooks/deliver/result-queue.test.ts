import { pino } from "pino";
import { expect, test, vi } from "vitest";
import type { AttemptResult } from "./attempt-result.ts";
import { createResultQueue } from "./result-queue.ts";

const fullBatch = 128;
const result: AttemptResult = { attempt: null, change: null, countsForHealth: false };

/** A writer whose batches the test ends. */
function heldWriter() {
  const batches: { size: number; end: () => void }[] = [];
  const writer = createResultQueue(pino({ level: "silent" }), (results) => {
    const held = Promise.withResolvers<void>();
    batches.push({ size: results.length, end: held.resolve });
    return held.promise;
  });
  const add = (count: number) => Promise.all(Array.from({ length: count }, () => writer.add(result)));
  const begun = (count: number) => vi.waitFor(() => expect(batches).toHaveLength(count));
  return { writer, batches, add, begun };
}

test("batches are written one after another, in the order of their results", async () => {
  const { writer, batches, add, begun } = heldWriter();
  const first = add(fullBatch);
  await begun(1);
  const second = add(3 * fullBatch);
  expect(batches).toHaveLength(1);
  expect(writer.waiting).toBe(4 * fullBatch);
  batches[0]?.end();
  await first;
  await begun(2);
  const drained = writer.drain(10_000);
  batches[1]?.end();
  await Promise.all([second, drained]);
  expect(batches.map(({ size }) => size)).toEqual([fullBatch, 3 * fullBatch]);
  expect(writer.waiting).toBe(0);
});

test("results that arrive during a batch are written together after it", async () => {
  const { batches, add, begun } = heldWriter();
  const first = add(1);
  await begun(1);
  const rest = add(50);
  batches[0]?.end();
  await first;
  await begun(2);
  batches[1]?.end();
  await rest;
  expect(batches.map(({ size }) => size)).toEqual([1, 50]);
});
