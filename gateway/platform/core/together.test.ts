import { expect, it } from "vitest";
import { together } from "./together.ts";

const bounds = { weightOf: (item: number) => item, maxWeight: 10, maxItems: 3 };

it("combines the calls that arrive while one runs, within its limits", async () => {
  const calls: number[][] = [];
  const doIt = together<number>(async (items) => void calls.push(items), bounds);
  await Promise.all([1, 2, 3, 4, 5, 9, 20, 1].map(doIt));
  expect(calls).toEqual([[1], [2, 3, 4], [5], [9], [20], [1]]);
});

it("fails only for the callers whose item fails", async () => {
  const done: number[] = [];
  const doIt = together<number>(async (items) => {
    if (items.includes(2)) throw new Error("two");
    done.push(...items);
  }, bounds);
  const ends = await Promise.allSettled([1, 2, 3, 4].map(doIt));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(done).toEqual([1, 3, 4]);
});
