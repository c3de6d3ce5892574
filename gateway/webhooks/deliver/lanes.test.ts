import { expect, test } from "vitest";
import { Lanes } from "./lanes.ts";

const limits = {
  concurrency: 6,
  endpointConcurrency: 4,
  silentEndpointConcurrency: 1,
  maxHeld: 40,
  fastEndpointWindow: 16,
};
const job = (endpointId: string) => ({ delivery: { endpointId } });

function taken(lanes: Lanes<ReturnType<typeof job>>): string[] {
  const ids: string[] = [];
  for (let item = lanes.take(); item; item = lanes.take()) ids.push(item.delivery.endpointId);
  return ids;
}

test("lanes take turns, none above its own limit, all together not above theirs", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 5; n += 1) lanes.add(job("a"));
  for (let n = 0; n < 5; n += 1) lanes.add(job("b"));
  expect(taken(lanes)).toEqual(["a", "b", "a", "b", "a", "b"]);
  lanes.finish("a", "fast");
  expect(taken(lanes)).toEqual(["a"]);
  expect(lanes.room).toBe(40 - 9);
});

test("only a fast endpoint may hold more than its places; when it slows down the rest goes back", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 4; n += 1) lanes.add(job("a"));
  taken(lanes);
  expect(lanes.places().get("a")).toBe(0);
  expect(lanes.finish("a", "fast")).toEqual([]);
  expect(lanes.places().get("a")).toBe(13);
  for (let n = 0; n < 13; n += 1) lanes.add(job("a"));
  expect(taken(lanes)).toEqual(["a"]);
  expect(lanes.isLow("a")).toBe(false);
  expect(lanes.finish("a", "slow")).toHaveLength(12);
  expect(lanes.places().get("a")).toBe(1);
});

test("a silent endpoint keeps one place, idle or not, until it answers", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  lanes.add(job("a"));
  taken(lanes);
  lanes.finish("a", "silent");
  expect(lanes.places().get("a")).toBe(1);
  lanes.add(job("a"));
  lanes.add(job("a"));
  expect(taken(lanes)).toEqual(["a"]);
  lanes.finish("a", "slow");
  expect(lanes.places().has("a")).toBe(false);
});
