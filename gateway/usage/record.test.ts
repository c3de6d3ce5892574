import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Database } from "#gateway/database/database.ts";
import { accounts, usageDaily, usageLines } from "#gateway/database/schema.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import type { RunUsage } from "./lines.ts";
import { createMeter } from "./meter.ts";
import { recordUsage } from "./record.ts";

describe("usage in lines", () => {
  let database: Database;
  let accountId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    accountId = newId("account");
    await database.queries.insert(accounts).values({ id: accountId, name: "A" });
  });

  const chat = (input: number, output: number, run: Partial<RunUsage> = {}): RunUsage => ({
    runId: newId("generation"),
    accountId,
    keyId: "key_1",
    userId: null,
    model: "svc/chat-1",
    provider: "sandbox",
    region: "us-virginia",
    metadata: null,
    lines: [
      { kind: "token:input", unit: "token", quantity: input },
      { kind: "token:output", unit: "token", quantity: output },
    ],
    ...run,
  });
  const days = () =>
    database.queries
      .select({ day: usageDaily.day, quantity: sql<string>`quantity::text`, requests: usageDaily.requests })
      .from(usageDaily)
      .where(eq(usageDaily.accountId, accountId))
      .orderBy(usageDaily.day);
  const lines = () => database.queries.select().from(usageLines).where(eq(usageLines.accountId, accountId));
  const ended = (usage: RunUsage) => ({ runId: usage.runId, usage, reserved: false });
  const silent = pino({ level: "silent" });

  it("adds nothing when a batch is written again", async () => {
    const [first, second] = [chat(10, 5), chat(3, 2)];
    await recordUsage(database.queries, [first]);
    await recordUsage(database.queries, [first, second]);
    expect(await days()).toMatchObject([{ quantity: "20", requests: 2 }]);
    expect(await lines()).toHaveLength(4);
  });

  it("counts once what was written though the answer was lost", async () => {
    let answers = 0;
    const forgetful = new Proxy(database, {
      get: (target, name) =>
        name === "queries"
          ? {
              execute: async (query: never) => {
                const done = await target.queries.execute(query);
                answers += 1;
                if (answers === 1) throw new Error("Connection terminated unexpectedly");
                return done;
              },
            }
          : Reflect.get(target, name),
    });
    const meter = createMeter(forgetful, silent);
    meter.add(ended(chat(10, 5)));
    await meter.flush();
    await meter.close();
    expect(answers).toBe(2);
    expect(await days()).toMatchObject([{ quantity: "15", requests: 1 }]);
  });

  it("adds up decimals exactly", async () => {
    const seconds = (quantity: number) =>
      chat(0, 0, { lines: [{ kind: "second", unit: "second", quantity }] });
    await recordUsage(database.queries, [seconds(0.1), seconds(0.2)]);
    await recordUsage(database.queries, [seconds(0.4)]);
    expect(await days()).toMatchObject([{ quantity: "0.7" }]);
  });

  it("counts a run on the day of its admission, with who ran it where", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-30T23:59:59Z"), toFake: ["Date"] });
    const run = chat(1, 1, { runId: newId("prediction"), keyId: null, userId: "usr_1" });
    vi.setSystemTime(Date.parse("2026-12-01T00:10:00Z"));
    await recordUsage(database.queries, [run]).finally(() => vi.useRealTimers());
    expect(await days()).toMatchObject([{ day: "2026-11-30" }]);
    expect(await lines()).toContainEqual(
      expect.objectContaining({
        runPrefix: "pred",
        userId: "usr_1",
        keyId: null,
        provider: "sandbox",
        region: "us-virginia",
        kind: "token:input",
        quantity: 1,
      }),
    );
  });

  it("adds to what the previous release wrote, and the other way round", async () => {
    const run = chat(10, 5);
    const day = new Date().toISOString().slice(0, 10);
    const asBefore = () =>
      database.pool.query(
        `insert into usage_daily (account_id, day, model, unit, key_id, quantity, requests)
         values ($1, $2, 'svc/chat-1', 'token', 'key_1', $3, $4)
         on conflict (account_id, day, model, unit, key_id) do update set
           quantity = usage_daily.quantity + excluded.quantity, requests = usage_daily.requests + excluded.requests`,
        [accountId, day, 1.5, 1],
      );
    await asBefore();
    await recordUsage(database.queries, [run]);
    await asBefore();
    expect(await days()).toMatchObject([{ quantity: "18.0", requests: 3 }]);
  });

  it("keeps everything while the database is away, and refuses more than it can keep", async () => {
    let away = true;
    const flaky = new Proxy(database, {
      get: (target, name) => {
        if (name === "queries" && away) throw Object.assign(new Error("away"), { code: "08006" });
        return Reflect.get(target, name);
      },
    });
    const meter = createMeter(flaky, silent);
    for (let n = 0; n < 50_000; n += 1) {
      if (n === 49_999) meter.assertRoom();
      meter.add(ended(chat(1, 0)));
    }
    await meter.flush();
    expect(() => meter.assertRoom()).toThrow("could not be recorded");
    meter.add(ended(chat(1, 0))); // it was running already
    away = false;
    await meter.close();
    expect(await days()).toMatchObject([{ quantity: "50001", requests: 50_001 }]);
  });

  it("is not blocked by usage that the database rejects or by a deleted account", async () => {
    const meter = createMeter(database, silent);
    meter.add(ended(chat(1, 1)));
    meter.add(ended(chat(1, 1, { model: "a\u0000b" })));
    meter.add(ended(chat(1, 1, { accountId: "acct_gone" })));
    meter.add(ended(chat(1, 1)));
    await meter.close();
    expect(await days()).toMatchObject([{ quantity: "4", requests: 2 }]);
  });

  it("have sums by the metadata that their account names, of the first thousand values of a day", async () => {
    await database.queries
      .update(accounts)
      .set({ usageKeys: ["customer"] })
      .where(eq(accounts.id, accountId));
    const runOf = (customer: string) => chat(1, 1, { metadata: { customer, other: "x" } });
    const sums = async () => {
      const { rows } = await database.pool.query(
        "select value, quantity::int, requests from usage_by_metadata where account_id = $1 order by value",
        [accountId],
      );
      return rows;
    };
    const first = Array.from({ length: 999 }, (_, at) => runOf(`c${String(at).padStart(4, "0")}`));
    await recordUsage(database.queries, first);
    // Written again after a lost answer, they count once.
    await recordUsage(database.queries, first);
    await recordUsage(database.queries, [runOf("c0000"), runOf("x"), runOf("y"), runOf("z"), chat(9, 9)]);
    const rows = await sums();
    expect(rows).toHaveLength(1_001);
    expect(rows[0]).toEqual({ value: "", quantity: 4, requests: 2 });
    expect(rows[1]).toEqual({ value: "c0000", quantity: 4, requests: 2 });
    expect(rows.at(-1)).toEqual({ value: "x", quantity: 2, requests: 1 });
  });
});
