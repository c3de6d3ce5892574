import { decodeTime } from "ulid";
import { expect, it } from "vitest";
import { firstIdAt, newId, timeOfId, ulidOf } from "./ids.ts";

it("reads the time of an id exactly as the ulid library does", () => {
  for (const id of [newId("generation"), firstIdAt("event", 0), firstIdAt("event", 1_795_326_238_291)])
    expect(timeOfId(id)).toBe(decodeTime(ulidOf(id).toUpperCase()));
});
