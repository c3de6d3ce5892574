import fc from "fast-check";
import { pino } from "pino";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId, timeOfId } from "#contract/ids.ts";
import { decimalOf, decimalText, sumOfDecimals } from "#contract/money/decimal.ts";
import { bookOf, type PriceBook, type PriceVersion } from "#gateway/billing/prices/book.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  usageDaily,
  usageLines as usageLinesTable,
  usageSums,
} from "#gateway/platform/database/schema.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { pricedRun, type RunUsage, type UsageLine, usageLines } from "./lines.ts";
import { createMeter } from "./meter.ts";
import { recordUsage } from "./record.ts";

const silentTeller = { write: async () => {}, announce() {} };

describe("usage lines", () => {
  let accountId: string;
  const database = shared(createTestDatabase);
  beforeEach(async () => {
    accountId = newId("account");
    await database.queries.insert(accounts).values({ id: accountId, name: "A" });
  });

  const noPrices = bookOf("USD", [], []);
  const chat = (
    input: number,
    output: number,
    run: Partial<RunUsage> = {},
    book: PriceBook = noPrices,
  ): RunUsage => {
    const runId = run.runId ?? newId("generation");
    return pricedRun(book, {
      runId,
      accountId,
      keyId: "key_1",
      userId: null,
      model: "svc/chat-1",
      apiType: "chat-completions",
      provider: "acme",
      region: "us-virginia",
      admittedAtMs: timeOfId(runId),
      sandbox: false,
      metadata: null,
      batchId: null,
      lines: usageLines({ unit: "token", quantity: input + output }, { tokens: { prompt_tokens: input } }),
      ...run,
    });
  };
  const days = () =>
    database.queries
      .select({ day: usageDaily.day, quantity: sql<string>`quantity::text`, requests: usageDaily.requests })
      .from(usageDaily)
      .where(eq(usageDaily.accountId, accountId))
      .orderBy(usageDaily.day);
  const lines = () =>
    database.queries.select().from(usageLinesTable).where(eq(usageLinesTable.accountId, accountId));
  const ended = (usage: RunUsage) => ({ runId: usage.runId, usage, reserved: false });
  const silent = pino({ level: "silent" });

  it("adds nothing when a batch is written again", async () => {
    const [first, second] = [chat(10, 5), chat(3, 2)];
    await recordUsage(database.queries, [first]);
    await recordUsage(database.queries, [first, second]);
    expect(await days()).toMatchObject([{ quantity: "20", requests: 2 }]);
    expect(await lines()).toHaveLength(4);
  });

  it("counts usage once that was written although the confirmation was lost", async () => {
    let answers = 0;
    const { session } = database.queries._;
    const prepareQuery: typeof session.prepareQuery = (...given) => {
      const prepared = session.prepareQuery(...given);
      const execute = async () => {
        const done = await prepared.execute();
        answers += 1;
        if (answers === 1) throw new Error("Connection terminated unexpectedly");
        return done;
      };
      return Object.assign(Object.create(prepared), { execute });
    };
    const forgetful = new Proxy(database, {
      get: (target, name) =>
        name === "queries" ? { _: { session: { prepareQuery } } } : Reflect.get(target, name),
    });
    const meter = createMeter(forgetful, silent, silentTeller);
    meter.add(ended(chat(10, 5)));
    await meter.flush();
    await meter.close();
    expect(answers).toBe(2);
    expect(await days()).toMatchObject([{ quantity: "15", requests: 1 }]);
  });

  it("sums decimals exactly", async () => {
    const seconds = (quantity: number) => chat(0, 0, { lines: usageLines({ unit: "second", quantity }) });
    await recordUsage(database.queries, [seconds(0.1), seconds(0.2)]);
    await recordUsage(database.queries, [seconds(0.4)]);
    expect(await days()).toMatchObject([{ quantity: "0.7" }]);
  });

  it("counts a run on the day of its admission, with its caller, provider and region", async () => {
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
        provider: "acme",
        region: "us-virginia",
        kind: "input_token",
        quantity: 1,
      }),
    );
  });

  it("adds to rows of the previous release, and the other way round", async () => {
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

  it("keeps all usage while the database is down, and refuses runs when too much waits", async () => {
    let away = true;
    const flaky = new Proxy(database, {
      get: (target, name) => {
        if (name === "queries" && away) throw Object.assign(new Error("away"), { code: "08006" });
        return Reflect.get(target, name);
      },
    });
    const meter = createMeter(flaky, silent, silentTeller);
    for (let n = 0; n < 50_000; n += 1) {
      if (n === 49_999) meter.assertRoom();
      meter.add(ended(chat(1, 0)));
    }
    await meter.flush();
    expect(() => meter.assertRoom()).toThrow("could not be recorded");
    meter.add(ended(chat(1, 0))); // This run had started before the outage.
    away = false;
    await meter.close();
    expect(await days()).toMatchObject([{ quantity: "50001", requests: 50_001 }]);
  });

  it("is not blocked by usage that the database rejects or by a deleted account", async () => {
    const meter = createMeter(database, silent, silentTeller);
    meter.add(ended(chat(1, 1)));
    meter.add(ended(chat(1, 1, { model: "a\u0000b" })));
    meter.add(ended(chat(1, 1, { accountId: "acct_gone" })));
    meter.add(ended(chat(1, 1)));
    await meter.close();
    expect(await days()).toMatchObject([{ quantity: "4", requests: 2 }]);
  });

  it("are summed by the metadata that the account names, for the first thousand values of a day", async () => {
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
    // Written again after a lost answer, they count only once.
    await recordUsage(database.queries, first);
    await recordUsage(database.queries, [runOf("c0000"), runOf("x"), runOf("y"), runOf("z"), chat(9, 9)]);
    const rows = await sums();
    expect(rows).toHaveLength(1_001);
    expect(rows[0]).toEqual({ value: "", quantity: 4, requests: 2 });
    expect(rows[1]).toEqual({ value: "c0000", quantity: 4, requests: 2 });
    expect(rows.at(-1)).toEqual({ value: "x", quantity: 2, requests: 1 });
  });

  it("count a run once in the sums of its metadata, also if its price has a fee per request", async () => {
    await database.queries
      .update(accounts)
      .set({ usageKeys: ["customer"] })
      .where(eq(accounts.id, accountId));
    const [tokens] = usageLines({ unit: "token", quantity: 5 }, { tokens: { prompt_tokens: 5 } });
    if (!tokens) throw new Error("tokens have no line");
    const fee: UsageLine = { ...tokens, kind: "request", unit: "request", quantity: 1, isExtra: true };
    const lines = [tokens, fee];
    await recordUsage(database.queries, [chat(0, 0, { lines, metadata: { customer: "acme" } })]);
    const { rows } = await database.pool.query(
      "select unit, quantity::int, requests from usage_by_metadata where account_id = $1 order by unit",
      [accountId],
    );
    expect(rows).toEqual([
      { unit: "request", quantity: 1, requests: 0 },
      { unit: "token", quantity: 5, requests: 1 },
    ]);
  });

  describe("have amounts", () => {
    const text = fc.constantFrom("a", "b", "c");
    const runs = fc.array(
      fc.record({
        model: fc.constantFrom("acme/one", "acme/two", "acme/unpriced"),
        provider: text,
        keyId: text,
        // Budget balances are stored per holder, and keys and batches have different ids.
        batchId: fc.option(fc.constantFrom("batch_a", "batch_b", "batch_c")),
        input: fc.nat(2_000_000),
        cached: fc.nat(1_000),
        output: fc.nat(100_000),
        isRepeated: fc.boolean(),
        sandbox: fc.boolean(),
      }),
      { minLength: 1, maxLength: 25 },
    );
    const rate = fc.bigInt({ min: 0n, max: 10n ** 13n }).map((value) => decimalText(value));

    it("that add up exactly to the costs of the runs, by any grouping", async () => {
      await fc.assert(
        fc.asyncProperty(
          runs,
          rate,
          rate,
          fc.integer({ min: -100, max: 300 }),
          async (given, one, two, percent) => {
            accountId = newId("account");
            await database.queries
              .insert(accounts)
              .values({ id: accountId, name: "A", usageKeys: ["customer"] });
            const version = (model: string, per: string, own: string | null): PriceVersion => ({
              id: newId("price"),
              accountId: own,
              model,
              apiType: "chat-completions",
              provider: null,
              region: null,
              components: [
                { kind: "input_token", per: 1_000_000, rate: per },
                { kind: "output_token", per: 7, rate: per },
              ],
              source: "console",
              effectiveAtMs: 0,
            });
            const book = bookOf(
              "USD",
              [
                version("acme/one", one, null),
                version("acme/two", two, null),
                version("acme/two", one, accountId),
              ],
              [{ id: "mkp_1", accountId: null, percent: String(percent), effectiveAtMs: 0 }],
            );
            const made = given.map(({ input, cached, output, isRepeated, ...run }) => {
              const tokens = { prompt_tokens: input, prompt_tokens_details: { cached_tokens: cached } };
              const lines = usageLines({ unit: "token", quantity: input + output }, { tokens });
              return chat(0, 0, { ...run, lines, metadata: { customer: run.keyId } }, book);
            });
            await recordUsage(database.queries, made);
            await recordUsage(
              database.queries,
              made.filter((_, at) => given[at]?.isRepeated),
            );
            const used = made.filter(({ lines }) => lines.length > 0);
            const total = (side: "cost" | "charge") =>
              used.reduce((sum, { priced }) => sum + (priced[side]?.amount ?? 0n), 0n);
            const decimal = (value: unknown) => decimalText(decimalOf(String(value ?? "0")));
            const of = async (from: string, by: string) => {
              const { rows } = await database.pool.query(
                `select ${by} as by, sum(quantity)::text as quantity, sum(cost)::text as cost, sum(charge)::text as charge
               from ${from} where account_id = $1 group by 1`,
                [accountId],
              );
              const sum = (name: string) => sumOfDecimals(rows.map((row) => decimal(row[name])));
              return { quantity: sum("quantity"), cost: sum("cost"), charge: sum("charge") };
            };
            const said = {
              quantity: String(
                used.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0),
              ),
              cost: decimalText(total("cost")),
              charge: decimalText(total("charge")),
            };
            for (const by of [
              "day",
              "model",
              "provider",
              "region",
              "kind",
              "key_id",
              "price_id",
              "selling_id",
              "batch_id",
            ])
              expect([by, await of("usage_sums", by)]).toEqual([by, said]);
            expect(await of("usage_lines", "run")).toEqual(said);
            expect(await of("usage_by_metadata", "value")).toEqual(said);
            const [counted] = await database.queries
              .select({ runs: sql<number>`coalesce(sum(runs), 0)::int` })
              .from(usageSums)
              .where(eq(usageSums.accountId, accountId));
            expect(counted?.runs).toBe(used.length);
          },
        ),
        { numRuns: 25 },
      );
    });

    it("that are null without a price, and 0 on the sandbox", async () => {
      await recordUsage(database.queries, [chat(10, 5), chat(10, 5, { sandbox: true, provider: "sandbox" })]);
      const { rows } = await database.pool.query(
        "select provider, kind, cost, charge from usage_sums where account_id = $1 order by 1, 2",
        [accountId],
      );
      expect(rows).toEqual([
        { provider: "acme", kind: "input_token", cost: null, charge: null },
        { provider: "acme", kind: "output_token", cost: null, charge: null },
        { provider: "sandbox", kind: "input_token", cost: "0", charge: "0" },
        { provider: "sandbox", kind: "output_token", cost: "0", charge: "0" },
      ]);
    });
  });
});
