import { expect, it } from "vitest";
import { allot } from "./claim.ts";

const room = (id: string, accountId: string, left = 100) => ({ id, accountId, room: left });
const nothing = new Map<string, number>();

it("shares free slots between accounts, then between the batches of an account", () => {
  const rooms = [room("a1", "a"), room("a2", "a"), room("b1", "b")];
  expect(Object.fromEntries(allot(16, rooms, nothing))).toEqual({ a1: 4, a2: 3, b1: 7 });
});

it("leaves slots free when several accounts arrive at once", () => {
  const shares = allot(32, [room("a1", "a"), room("b1", "b")], nothing);
  expect(Object.fromEntries(shares)).toEqual({ a1: 14, b1: 14 });
});

it("leaves slots free for an account that comes later, and starts no more than a batch may run", () => {
  expect(allot(32, [room("a1", "a")], nothing).get("a1")).toBe(24);
  expect(allot(8, [room("a1", "a")], new Map([["a", 24]])).get("a1")).toBeUndefined();
  expect(Object.fromEntries(allot(8, [room("a1", "a"), room("b1", "b")], new Map([["a", 24]])))).toEqual({
    b1: 6,
  });
  expect(Object.fromEntries(allot(16, [room("a1", "a", 3), room("b1", "b", 0)], nothing))).toEqual({ a1: 3 });
});
