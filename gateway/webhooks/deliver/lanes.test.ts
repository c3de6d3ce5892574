import { expect, test } from "vitest";
import { Lanes } from "./lanes.ts";

const limits = {
  concurrency: 6,
  endpointConcurrency: 4,
  silentEndpointConcurrency: 1,
  maxHeld: 40,
  maxEndpointWindow: 16,
  aheadMs: 1000,
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
  lanes.finish("a", 10);
  expect(taken(lanes)).toEqual(["a"]);
  expect(lanes.room).toBe(40 - 9);
});

test("an endpoint that answers may hold as much as it takes in a second, not more than the window", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 4; n += 1) lanes.add(job("a"));
  taken(lanes);
  expect(lanes.places().get("a")).toBe(0);
  expect(lanes.finish("a", 1)).toEqual([]);
  expect(lanes.places().get("a")).toBe(13);
  for (let n = 0; n < 13; n += 1) lanes.add(job("a"));
  expect(taken(lanes)).toEqual(["a"]);
  expect(lanes.isLow("a")).toBe(false);
  // One slow answer is not a slow endpoint: what waits stays.
  expect(lanes.finish("a", 1000)).toEqual([]);
  expect(lanes.places().get("a")).toBe(1);
});

test("a slow endpoint gets little ahead of its places", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 4; n += 1) lanes.add(job("a"));
  taken(lanes);
  lanes.finish("a", 4000);
  expect(lanes.places().get("a")).toBe(5 - 3);
});

test("an endpoint that falls silent gives back what waits", () => {
  const lanes = new Lanes<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 6; n += 1) lanes.add(job("a"));
  taken(lanes);
  expect(lanes.finish("a", "silent")).toHaveLength(2);
  expect(lanes.places().get("a")).toBe(0);
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
  lanes.finish("a", 5000);
  expect(lanes.places().get("a")).toBe(3);
});
