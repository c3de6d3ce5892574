import { expect, it } from "vitest";
import { Batch } from "./batch.ts";
import type { ProtoWriter } from "./proto-writer.ts";

const write = (to: ProtoWriter, item: number) => to.varint(1, item);
/** Each number is written as a tag and the number itself. */
const numbersIn = (items: Buffer) => [...items].filter((_byte, place) => place % 2 === 1);

function batchOf(settings: { delayMs: number; batchSize: number; queueSize?: number }) {
  const sent: number[][] = [];
  const received: (() => void)[] = [];
  const batch = new Batch<number>({
    name: "numbers",
    write,
    queueSize: 100,
    ...settings,
    send(items) {
      sent.push(numbersIn(items));
      return new Promise((resolve) => received.push(resolve));
    },
  });
  return { sent, received, batch };
}

it("is sent when it is full; later items wait until the next one is full", async () => {
  const { sent, received, batch } = batchOf({ delayMs: 60_000, batchSize: 3 });
  for (const item of [1, 2, 3, 4, 5]) batch.add(item);
  expect(sent).toEqual([[1, 2, 3]]);
  received.shift()?.();
  await Promise.resolve();
  expect(sent).toEqual([[1, 2, 3]]);
  batch.add(6);
  await expect
    .poll(() => sent)
    .toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
});

it("is sent when its first item has waited long enough, and at the end at once", async () => {
  const { sent, received, batch } = batchOf({ delayMs: 20, batchSize: 3 });
  batch.add(1);
  await expect.poll(() => sent).toEqual([[1]]);
  batch.add(2);
  const flushed = batch.flush();
  received.shift()?.();
  await expect.poll(() => sent).toEqual([[1], [2]]);
  received.shift()?.();
  await flushed;
});

it("drops new items while too many wait, and never a waiting one", async () => {
  const { sent, received, batch } = batchOf({ delayMs: 60_000, batchSize: 2, queueSize: 4 });
  for (const item of [1, 2, 3, 4, 5, 6]) batch.add(item);
  received.shift()?.();
  await expect
    .poll(() => sent)
    .toEqual([
      [1, 2],
      [3, 4],
    ]);
  received.shift()?.();
  await batch.flush();
  expect(sent).toHaveLength(2);
});
