import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "#gateway/platform/database/database.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { createLimiter } from "./create-limiter.ts";
import type { Limit, Limiter } from "./limiter.ts";

const log = pino({ level: "silent" });
/** Two processes on one database. */
let first: Limiter;
/** How many queries the first process sent to the database. */
let questions: () => number;
let second: Limiter;
const database = shared(createTestDatabase);
beforeAll(async () => {
  const openSteadyPool: Database["openSteadyPool"] = (...options) => {
    const pool = database.openSteadyPool(...options);
    const { mock } = vi.spyOn(pool, "query");
    questions = () => mock.calls.length;
    return pool;
  };
  first = await createLimiter({ openSteadyPool }, log, "first");
  second = await createLimiter(database, log, "second");
});
afterAll(async () => {
  await first.close();
  await second.close();
});

const hourMs = 3_600_000;
/** A limit that does not refill during a test. */
const limitOf = (name: string, count: number): Limit => ({ name, count, periodMs: count * hourMs });
const allowedOf = async (limiter: Limiter, subject: string, limit: Limit, times: number) => {
  const taken = await Promise.all(Array.from({ length: times }, () => limiter.take(subject, limit)));
  return taken.filter(({ allowed }) => allowed).length;
};

it.each([10, 99])("a limit of %d is exact over two processes, call by call", async (count) => {
  const limit = limitOf(`exact ${count}`, count);
  for (let left = count; left > 0; left -= 1) {
    const taken = await (left % 2 ? first : second).take("a", limit);
    expect([taken.allowed, taken.remaining]).toEqual([true, left - 1]);
  }
  for (const limiter of [first, second])
    expect(await limiter.take("a", limit)).toMatchObject({ allowed: false, remaining: 0 });
  expect(await first.take("b", limit)).toMatchObject({ allowed: true });
  expect(await first.take("a", { ...limit, name: "other" })).toMatchObject({ allowed: true });
});

it("two busy processes admit the burst and not one more, and waste next to nothing of it", async () => {
  const limit = limitOf("busy", 600);
  let allowed = 0;
  for (let round = 0; round < 40; round += 1) {
    const both = await Promise.all([first, second].map((limiter) => allowedOf(limiter, "a", limit, 20)));
    allowed += both.reduce((sum, one) => sum + one, 0);
    await sleep(2); // Rounds at once would not show what is leased again over time.
  }
  // Tokens that an idle process still held become available to the other one a moment later.
  await vi.waitFor(
    async () => {
      allowed += await allowedOf(first, "a", limit, 5);
      allowed += await allowedOf(second, "a", limit, 5);
      expect(allowed).toBeGreaterThanOrEqual(600 * 0.95);
    },
    { interval: 100 },
  );
  expect(allowed).toBeLessThanOrEqual(600);
});

it("three processes together count as many as there are, however many each takes at once", async () => {
  const third = await createLimiter(database, log, "third");
  const limiters = [first, second, third];
  const limit = limitOf("in parts", 10_000);
  const dice = seededRandom("limits in parts");
  let allowed = 0;
  const takeOnce = async (limiter: Limiter, count: number) => {
    if ((await limiter.take("a", limit, count)).allowed) allowed += count;
  };
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      limiters.flatMap((limiter) =>
        Array.from({ length: 4 }, () => takeOnce(limiter, 1 + Math.floor(dice() * 400))),
      ),
    );
  expect(allowed).toBeLessThanOrEqual(10_000);
  // What one of them holds and cannot use becomes available to the others.
  await vi.waitFor(
    async () => {
      for (const limiter of limiters) await takeOnce(limiter, 50);
      expect(allowed).toBeGreaterThanOrEqual(10_000 * 0.95);
    },
    { interval: 50 },
  );
  expect(allowed).toBeLessThanOrEqual(10_000);
  await third.close();
});

it("what was reserved and not used is there for other processes, and what was used beyond is missing", async () => {
  const limit = limitOf("settled", 1_000);
  expect(await first.take("a", limit, 900)).toMatchObject({ allowed: true, remaining: 100 });
  expect(await second.take("a", limit, 400)).toMatchObject({ allowed: false, remaining: 100 });
  await first.giveBack("a", limit, 800);
  await vi.waitFor(async () => expect(await second.take("a", limit, 800)).toMatchObject({ allowed: true }));
  second.charge("a", limit, 600);
  await vi.waitFor(async () => {
    const { allowed, retryAfterMs } = await first.take("a", limit, 1_000);
    expect([allowed, Math.round(retryAfterMs / hourMs)]).toEqual([false, 1_500]);
  });
  await second.giveBack("a", limit, 1_400);
  await vi.waitFor(async () => expect(await first.take("a", limit, 900)).toMatchObject({ allowed: true }));
});

it.each(["giveBack", "charge"] as const)(
  "a run that began before the limit was raised does not put the old one back at its end: %s",
  async (settle) => {
    const raised = limitOf(`raised ${settle}`, 10_000);
    const old = { ...raised, ...limitOf(raised.name, 1_000) };
    expect(await first.take("a", raised)).toMatchObject({ allowed: true });
    // The second process does not know this subject.
    for (const limiter of [first, second]) {
      await limiter[settle]("a", old, 900);
      await limiter.take("b", old, 1); // Goes with the same query, or after it.
      expect(await first.take("a", raised, 3_000)).toMatchObject({ allowed: true });
    }
  },
);

it("a busy key needs far fewer database queries than requests, and one at its limit almost none", async () => {
  const limit: Limit = { name: "cheap", count: 60_000, periodMs: 60_000 };
  const before = questions();
  for (let round = 0; round < 200; round += 1) {
    expect(await allowedOf(first, "a", limit, 10)).toBe(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(questions() - before).toBeLessThan(200);
  const full = limitOf("at its limit", 100);
  await vi.waitFor(async () => expect(await allowedOf(first, "a", full, 50)).toBe(0));
  const start = questions();
  for (let round = 0; round < 100; round += 1) expect(await allowedOf(first, "a", full, 100)).toBe(0);
  expect(questions() - start).toBeLessThan(100);
});

it("reports when the next request is allowed, and then allows it", async () => {
  const limit: Limit = { name: "soon", count: 2, periodMs: 6_000 };
  expect(await allowedOf(first, "a", limit, 3)).toBe(2);
  const refused = await second.take("a", limit);
  expect(refused.allowed).toBe(false);
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(refused.retryAfterMs).toBeLessThanOrEqual(3_000);
  expect(refused.resetMs).toBeLessThanOrEqual(6_000);
  await vi.waitFor(async () => expect((await second.take("a", limit)).allowed).toBe(true));
});

it("returns one token, never more than were taken, and forgets a subject", async () => {
  const limit = limitOf("back", 3);
  await first.giveBack("a", limit);
  expect(await allowedOf(second, "a", limit, 5)).toBe(3);
  await first.giveBack("a", limit);
  await vi.waitFor(async () => expect(await allowedOf(second, "a", limit, 1)).toBe(1));
  await first.reset("a", limit);
  expect(await allowedOf(first, "a", limit, 5)).toBe(3);
});

it("slots are shared: while one process uses a slot, the other cannot", async () => {
  const occupy = (limiter: Limiter) => limiter.occupy("key", 10);
  const six = (limiter: Limiter) => Promise.all(Array.from({ length: 6 }, () => occupy(limiter)));
  const ofFirst = await six(first);
  const ofSecond = await six(second);
  const occupied = () => [...ofFirst, ...ofSecond].filter((release) => release !== null).length;
  // The first process held a spare slot, and a busy machine may return it late.
  await vi.waitFor(async () => {
    if (occupied() < 10) ofSecond.push(...(await six(second)));
    expect(occupied()).toBe(10);
  });
  expect(await Promise.all([first, second].map(occupy))).toEqual([null, null]);
  for (const release of ofFirst) release?.();
  const more = await vi.waitFor(async () => {
    const release = await occupy(second);
    expect(release).not.toBeNull();
    return release;
  });
  for (const release of [...ofSecond, more]) release?.();
});

it("the slots of a killed process are freed after a while, and those of a stopped process at once", async () => {
  const killed = await createLimiter(database, log, "killed");
  const ended = await createLimiter(database, log, "ended");
  await Promise.all(Array.from({ length: 3 }, () => killed.occupy("shared", 6)));
  await Promise.all(Array.from({ length: 3 }, () => ended.occupy("shared", 6)));
  expect(await first.occupy("shared", 6)).toBeNull();
  await ended.close();
  const taken = () => Promise.all(Array.from({ length: 6 }, () => first.occupy("shared", 6)));
  await vi.waitFor(async () => expect((await taken()).filter(Boolean)).toHaveLength(3));
  await vi.waitFor(async () => {
    // Repeated, because this process is alive and may report it in between.
    await database.pool.query(
      "update gateway_processes set seen_at = now() - interval '21 seconds' where id = 'killed'",
    );
    expect((await taken()).filter(Boolean)).toHaveLength(3);
  });
  expect(await first.occupy("shared", 6)).toBeNull();
  await killed.close();
});

it("without the database the last lease is used up, and no more", async () => {
  const own = await createTestDatabase();
  const limiter = await createLimiter(own, log, "alone");
  const limit = limitOf("away", 1_000);
  for (let round = 0; round < 20; round += 1) await allowedOf(limiter, "a", limit, 10);
  await own.close();
  let allowed = 200;
  let failed = 0;
  for (let times = 0; times < 1_000; times += 1)
    await Promise.resolve(limiter.take("a", limit)).then(
      (taken) => (allowed += Number(taken.allowed)),
      () => (failed += 1),
    );
  expect(failed).toBeGreaterThan(500);
  expect(allowed).toBeLessThanOrEqual(200 + 1_000 / 20);
  await limiter.close();
});
