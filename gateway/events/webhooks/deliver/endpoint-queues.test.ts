import { expect, test } from "vitest";
import { EndpointQueues } from "./endpoint-queues.ts";

const limits = {
  concurrency: 6,
  endpointConcurrency: 4,
  silentEndpointConcurrency: 1,
  maxHeld: 40,
  maxEndpointWindow: 16,
  aheadMs: 1000,
};
const job = (endpointId: string, accountId = "one") => ({ delivery: { accountId, endpointId } });

function taken(queues: EndpointQueues<ReturnType<typeof job>>): string[] {
  const ids: string[] = [];
  for (let item = queues.take(); item; item = queues.take()) ids.push(item.delivery.endpointId);
  return ids;
}

test("endpoints take turns, each within its own limit and all within their account's share", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 5; n += 1) queues.add(job("a"));
  for (let n = 0; n < 5; n += 1) queues.add(job("b"));
  expect(taken(queues)).toEqual(["a", "b", "a", "b", "a"]);
  queues.finish(job("a"), 10);
  expect(taken(queues)).toEqual(["b"]);
  expect(queues.room).toBe(40 - 9);
});

test("accounts take turns, however many endpoints one has, and a new one finds a free slot", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>({ ...limits, concurrency: 12 });
  for (let n = 0; n < 40; n += 1) queues.add(job(`many-${n}`, "many"));
  expect(taken(queues)).toHaveLength(9);
  queues.add(job("a", "one"));
  expect(taken(queues)).toEqual(["a"]);
  queues.add(job("b", "one"));
  queues.add(job("c", "one"));
  queues.finish(job("many-0", "many"), 10);
  queues.finish(job("many-1", "many"), 10);
  expect(taken(queues)).toEqual(["many-9", "b", "c"]);
});

test("an endpoint that answers may have a second of work queued, up to the window", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 4; n += 1) queues.add(job("a"));
  taken(queues);
  expect(queues.places().get("a")).toBe(0);
  expect(queues.finish(job("a"), 1)).toEqual([]);
  expect(queues.places().get("a")).toBe(13);
  for (let n = 0; n < 13; n += 1) queues.add(job("a"));
  expect(taken(queues)).toEqual(["a"]);
  expect(queues.isLow("a")).toBe(false);
  // One slow answer does not make an endpoint slow, so it keeps its queue.
  expect(queues.finish(job("a"), 1000)).toEqual([]);
  expect(queues.places().get("a")).toBe(1);
});

test("a slow endpoint gets little work beyond its free slots", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 4; n += 1) queues.add(job("a"));
  taken(queues);
  queues.finish(job("a"), 4000);
  expect(queues.places().get("a")).toBe(5 - 3);
});

test("an endpoint that stops answering loses its queue to other workers", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>(limits);
  for (let n = 0; n < 6; n += 1) queues.add(job("a"));
  taken(queues);
  expect(queues.finish(job("a"), "silent")).toHaveLength(2);
  expect(queues.places().get("a")).toBe(0);
});

test("an endpoint that did not answer gets a single slot until it answers again", () => {
  const queues = new EndpointQueues<ReturnType<typeof job>>(limits);
  queues.add(job("a"));
  taken(queues);
  queues.finish(job("a"), "silent");
  expect(queues.places().get("a")).toBe(1);
  queues.add(job("a"));
  queues.add(job("a"));
  expect(taken(queues)).toEqual(["a"]);
  queues.finish(job("a"), 5000);
  expect(queues.places().get("a")).toBe(3);
});
