import { expect, it } from "vitest";
import { fairShare } from "./fair-queue.ts";

it("gives one account three quarters of the slots, or all of them if there are few", () => {
  expect(fairShare(128, 0)).toBe(96);
  expect(fairShare(128 - 96, 96)).toBe(0);
  expect([fairShare(1, 0), fairShare(2, 0), fairShare(1, 1)]).toEqual([1, 2, 1]);
  expect(fairShare(0, 0)).toBe(0);
});

it("leaves slots for the accounts that come next", () => {
  const second = fairShare(32, 0);
  expect(second).toBe(24);
  expect(fairShare(32 - second, 0)).toBe(6);
});

it("lets an account that uses too much start nothing until the others have their share", () => {
  expect(fairShare(8, 96)).toBe(0);
  expect(fairShare(40, 80)).toBe(10);
});
