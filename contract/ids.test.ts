import { decodeTime } from "ulid";
import { expect, it, onTestFinished } from "vitest";
import { firstIdAt, newId, setIdClock, timeOfId, ulidOf } from "./ids.ts";

it("reads the time of an id exactly as the ulid library does", () => {
  for (const id of [newId("generation"), firstIdAt("event", 0), firstIdAt("event", 1_795_326_238_291)])
    expect(timeOfId(id)).toBe(decodeTime(ulidOf(id).toUpperCase()));
});

it("sorts the ids of one millisecond in the order in which they were made, and follows a clock that is set back", () => {
  let now = 1_795_326_238_291;
  onTestFinished(() => setIdClock(() => Date.now()));
  setIdClock(() => now);
  const made = Array.from({ length: 1_000 }, () => newId("prediction"));
  expect(made.toSorted()).toEqual(made);
  now -= 1;
  expect(timeOfId(newId("prediction"))).toBe(now);
});
