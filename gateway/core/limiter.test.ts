import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createLimiter, type Limit } from "./limiter.ts";

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

const limit: Limit = { name: "test", count: 3, periodMs: 60_000 };

it("allows the count at once, then one for each share of the period", async () => {
  const limiter = createLimiter();
  const allowed = await Promise.all(
    Array.from({ length: 5 }, async () => (await limiter.take("a", limit)).allowed),
  );
  expect(allowed).toEqual([true, true, true, false, false]);
  expect(await limiter.take("a", limit)).toEqual({
    allowed: false,
    remaining: 0,
    retryAfterMs: 20_000,
    resetMs: 60_000,
  });
  vi.advanceTimersByTime(20_000);
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: true, remaining: 0, retryAfterMs: 0 });
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: false });
});

it("does not reduce the count when the clock is set back", async () => {
  const limiter = createLimiter();
  await limiter.take("a", limit);
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: true, remaining: 1 });
});

it("counts every subject and every limit separately", async () => {
  const limiter = createLimiter();
  for (let count = 0; count < 3; count += 1) await limiter.take("a", limit);
  expect((await limiter.take("b", limit)).allowed).toBe(true);
  expect((await limiter.take("a", { ...limit, name: "other" })).allowed).toBe(true);
  expect((await limiter.take("a", limit)).allowed).toBe(false);
});

it("uncounts one, never beyond the limit, and clears a subject", async () => {
  const limiter = createLimiter();
  await limiter.giveBack("a", limit);
  for (let count = 0; count < 3; count += 1) await limiter.take("a", limit);
  await limiter.giveBack("a", limit);
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: true, remaining: 0 });
  await limiter.reset("a", limit);
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: true, remaining: 2 });
});

it("keeps a bounded number of subjects, the most recent ones", async () => {
  const limiter = createLimiter();
  for (let at = 0; at < 3; at += 1) await limiter.take("first", limit);
  for (let at = 0; at < 60_000; at += 1) await limiter.take(`subject-${at}`, { ...limit, count: 1 });
  expect((await limiter.take("subject-59999", { ...limit, count: 1 })).allowed).toBe(false);
  expect((await limiter.take("first", limit)).allowed).toBe(true);
});
