import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { newId, timeOfId } from "#contract/ids.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { followDatabaseClock } from "./follow-clock.ts";

const log = pino({ level: "silent" });
const fiveMinutesMs = 300_000;

afterEach(() => {
  vi.useRealTimers();
  clock.setOffset(0);
});

it("machines whose clocks are ten minutes apart agree on the time, in ids too", async () => {
  const database = await createTestDatabase();
  for (const aheadMs of [-fiveMinutesMs, fiveMinutesMs]) {
    const trueMs = Date.now();
    vi.useFakeTimers({ now: trueMs + aheadMs, toFake: ["Date"] });
    (await followDatabaseClock(database, log))();
    for (const told of [clock.now(), clock.date().getTime(), timeOfId(newId("event"))])
      expect(Math.abs(told - trueMs)).toBeLessThan(10_000);
    vi.useRealTimers();
  }
  await database.close();
});

it("leaves a clock alone that agrees with the database's", async () => {
  const database = await createTestDatabase();
  (await followDatabaseClock(database, log))();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(100);
  await database.close();
});

it("leaves a clock alone that agrees with the database's, although the answer took long", async () => {
  const database = await createTestDatabase();
  const pool = {
    async query(text: string) {
      const result = await database.pool.query(text);
      await new Promise((resolve) => setTimeout(resolve, 300)); // More than twice the difference allowed below.
      return result;
    },
  };
  (await followDatabaseClock({ pool: pool as unknown as typeof database.pool }, log))();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(100);
  await database.close();
});
