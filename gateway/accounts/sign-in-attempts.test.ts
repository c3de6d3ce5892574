import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { countAttempt, forgetAttempts, rememberedAddresses } from "./sign-in-attempts.ts";

beforeAll(() => void vi.useFakeTimers());
beforeEach(() => void vi.advanceTimersByTime(60_000));
afterAll(() => void vi.useRealTimers());

it("refuses the eleventh of a minute, and counts anew after it", () => {
  for (let count = 0; count < 10; count += 1) countAttempt("a@example.com");
  expect(() => countAttempt("a@example.com")).toThrow("Too many wrong passwords");
  countAttempt("b@example.com");
  vi.advanceTimersByTime(60_000);
  countAttempt("a@example.com");
});

it("gives back an attempt that is withdrawn, once", () => {
  for (let count = 0; count < 9; count += 1) countAttempt("c@example.com");
  const last = countAttempt("c@example.com");
  last.withdraw();
  countAttempt("c@example.com");
  expect(() => countAttempt("c@example.com")).toThrow();
  forgetAttempts("c@example.com");
  last.withdraw();
  countAttempt("c@example.com");
});

it("drops addresses whose attempts have passed", () => {
  for (let at = 0; at < 3_000; at += 1) countAttempt(`guess-${at}@example.com`);
  expect(rememberedAddresses()).toBeGreaterThanOrEqual(3_000);
  vi.advanceTimersByTime(60_000);
  countAttempt("d@example.com");
  expect(rememberedAddresses()).toBe(1);
});
