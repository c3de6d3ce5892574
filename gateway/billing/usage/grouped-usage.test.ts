import { beforeAll, describe, expect, it } from "vitest";
import { readCsv } from "#contract/csv.ts";
import { firstIdAt, ulidOf } from "#contract/ids.ts";
import { sumOfDecimals } from "#contract/money/decimal.ts";
import { operatorUsageGroups } from "#contract/operator/usage.ts";
import { type UsageCost, usageGroups } from "#contract/usage.ts";
import { listUsageLines } from "#gateway/models/configuration/usage/usage.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, usageByMetadata, usageLines, usageSums } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

interface Row extends Record<string, unknown> {
  quantity: number;
  requests: number;
  cost: UsageCost;
  charge: UsageCost;
}

/** Every combination of a few values, so that each grouping has something to add up. */
const rowsPerAccount = 2 * 3 * 2 * 3 * 2;

describe("sums of usage", () => {
  let operator: string;
  const all: (typeof usageSums.$inferInsert)[] = [];
  const ask = async (path: string, bearer: string) => {
    const { status, body } = await call(gateway, bearer, "GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as unknown as { data: Row[]; total: Row; has_more: boolean };
  };
  const text = async (path: string, bearer: string) => {
    const answer = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    expect(answer.status).toBe(200);
    const [header = { cells: [] }, ...rows] = [...readCsv(await answer.text())];
    return rows.map(({ cells }) =>
      Object.fromEntries(header.cells.map((name, at) => [name, cells[at] ?? ""])),
    );
  };
  const amountsOf = (rows: readonly { amount: string | null }[]) =>
    sumOfDecimals(rows.flatMap(({ amount }) => amount ?? []));

  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const member = shared(() => gateway.addMember(account, "member"));
  beforeAll(async () => {
    const stranger = await gateway.createAccount();
    operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
    for (const { accountId, people } of [
      { accountId: account.accountId, people: [account.userId, member.userId] },
      { accountId: stranger.accountId, people: [stranger.userId, "key_deleted"] },
    ])
      for (let n = 0; n < rowsPerAccount; n += 1) {
        const pick = <Value>(values: readonly Value[], step: number) =>
          values[Math.floor(n / step) % values.length] as Value;
        const isPriced = n % 7 > 0;
        all.push({
          accountId,
          keyId: pick(people, 1),
          day: pick(["2026-11-20", "2026-11-21", "2026-11-22"], 2),
          kind: pick(["input_token", "image:1024x1024"], 6),
          unit: pick(["token", "generation"], 6),
          model: pick(["acme/a", "acme/b", "=formula"], 12),
          provider: pick(["acme", "other"], 36),
          region: "us-virginia",
          priceId: isPriced ? "price_1" : "",
          sellingId: isPriced && n % 2 === 0 ? "mkp_1" : "",
          batchId: n % 5 === 0 ? "batch_1" : "",
          quantity: n + 0.5,
          runs: n % 3,
          cost: isPriced ? `${n}.000000000001` : null,
          charge: isPriced ? `${n * 2}.1` : null,
        });
      }
    await gateway.context.database.queries.insert(usageSums).values(all);
  });

  it("add up to the same by any grouping, to the last digit", async () => {
    const own = all.filter(({ accountId }) => accountId === account.accountId);
    const paid = amountsOf(own.map(({ charge = null }) => ({ amount: charge })));
    const runs = own.reduce((sum, { runs }) => sum + runs, 0);
    for (const group of [...usageGroups, "day,model,key,provider,batch,kind,region"]) {
      const { data, total, has_more } = await ask(`/usage?group_by=${group}`, account.session);
      expect(amountsOf(data.map(({ cost }) => cost)), group).toBe(paid);
      expect(total.cost.amount).toBe(paid);
      expect(
        data.reduce((sum, { requests }) => sum + requests, 0),
        group,
      ).toBe(runs);
      expect(
        data.reduce((sum, { cost }) => sum + cost.not_priced, 0),
        group,
      ).toBe(total.cost.not_priced);
      expect(has_more).toBe(false);
      expect(JSON.stringify(data)).not.toContain("charge");
    }
    const days = await ask("/usage?group_by=day&from=2026-11-21&to=2026-11-21", account.session);
    expect([...new Set(days.data.map(({ day }) => day))]).toEqual(["2026-11-21"]);
    expect(days.data[0]).not.toHaveProperty("model");
  });

  it("show members their own usage, and operators the cost and charge of all accounts", async () => {
    const paidBy = (id: string) =>
      amountsOf(all.filter(({ keyId }) => keyId === id).map(({ charge = null }) => ({ amount: charge })));
    expect((await ask("/usage?group_by=model", member.session)).total.cost.amount).toBe(
      paidBy(member.userId),
    );
    const byMember = await ask("/usage?group_by=member", account.session);
    const ofOwner = byMember.data.filter(({ user_id }) => user_id === account.userId);
    expect(amountsOf(ofOwner.map(({ cost }) => cost))).toBe(paidBy(account.userId));

    const costs = amountsOf(all.map(({ cost = null }) => ({ amount: cost })));
    for (const group of operatorUsageGroups) {
      const { data, total } = await ask(`/operator/usage?group_by=${group}`, operator);
      expect(amountsOf(data.map(({ cost }) => cost)), group).toBe(costs);
      expect(total.cost.amount).toBe(costs);
      expect(amountsOf(data.map(({ charge }) => charge))).toBe(total.charge.amount);
    }
    const named = await ask(`/operator/usage?group_by=account&account_id=${account.accountId}`, operator);
    expect(new Set(named.data.map(({ account_id }) => account_id))).toEqual(new Set([account.accountId]));
    expect((await call(gateway, member.session, "GET", "/operator/usage")).status).toBe(403);
  });

  it.each([
    ["account_id", "accountId", "their own"],
    ["key_id", "keyId", "key_deleted"],
    ["user_id", "keyId", "their own"],
    ["model", "model", "acme/b"],
    ["provider", "provider", "other"],
    ["batch_id", "batchId", "batch_1"],
  ] as const)("of all accounts are filtered by %s, also in a file", async (name, column, given) => {
    const own = name === "account_id" ? account.accountId : member.userId;
    const value = given === "their own" ? own : given;
    const filter = `${name}=${encodeURIComponent(value)}`;
    const wanted = all.filter((row) => row[column] === value);
    const costs = amountsOf(wanted.map(({ cost = null }) => ({ amount: cost })));
    const { total } = await ask(`/operator/usage?group_by=account&${filter}`, operator);
    expect(total.cost.amount).toBe(costs);
    const file = await text(`/operator/usage/export?${filter}`, operator);
    expect(file).toHaveLength(wanted.length);
    expect(amountsOf(file.map(({ cost }) => ({ amount: cost || null })))).toBe(costs);
  });

  it("are the same by day and model, whether added up incrementally or from scratch", async () => {
    const { pool } = gateway.context.database;
    await pool.query(
      "update usage_sums set quantity = quantity + 1, cost = coalesce(cost, 0) + 0.5 where runs = 1",
    );
    await pool.query(
      "update usage_sums set quantity = quantity - 1, cost = nullif(cost - 0.5, 0) where runs = 1",
    );
    const read = async () => (await ask("/operator/usage?group_by=day,account,model", operator)).data;
    const grown = await read();
    for (const day of new Set(all.map((row) => row.day)))
      await pool.query("select usage_model_day_fill($1)", [day]);
    const { rows } = await pool.query("select from usage_model_days where is_growth");
    expect(rows).toHaveLength(0);
    expect(grown.length).toBeGreaterThan(0);
    expect(await read()).toEqual(grown);
  });

  it("are read only once for a grouping and its total, also by day", async () => {
    const { pool } = gateway.context.database;
    const query = pool.query.bind(pool);
    let reads = 0;
    pool.query = ((config: { text?: string }, values: unknown[]) => {
      reads += config.text?.match(/from "usage_(?:sums|model_days)"/g)?.length ?? 0;
      return query(config as never, values as never);
    }) as typeof pool.query;
    try {
      for (const group of operatorUsageGroups) {
        reads = 0;
        await ask(`/operator/usage?group_by=${group}`, operator);
        expect([group, reads]).toEqual([group, 1]);
      }
    } finally {
      pool.query = query as typeof pool.query;
    }
  });

  it("can be exported as a table with the same total, and as FOCUS without unpriced usage", async () => {
    const own = all.filter(({ accountId }) => accountId === account.accountId);
    const paid = amountsOf(own.map(({ charge = null }) => ({ amount: charge })));
    const table = await text("/usage/export", account.session);
    expect(table).toHaveLength(own.length);
    expect(amountsOf(table.map(({ cost }) => ({ amount: cost || null })))).toBe(paid);
    // Spreadsheets must not run a model's name.
    expect(table.filter(({ model }) => model === "'=formula")).toHaveLength(own.length / 3);
    expect(Object.keys(table[0] ?? {})).not.toContain("charge");

    const ofMember = await text(`/usage/export?user_id=${member.userId}`, account.session);
    expect(ofMember).toHaveLength(own.length / 2);
    expect(new Set(ofMember.map(({ key_id }) => key_id))).toEqual(new Set([member.userId]));
    expect(await text(`/usage/export?user_id=${account.userId}`, member.session)).toEqual([]);
    const focus = await text("/usage/export?format=focus&from=2026-11-20&to=2026-11-30", account.session);
    expect(amountsOf(focus.map(({ BilledCost }) => ({ amount: BilledCost ?? null })))).toBe(paid);
    expect(focus[0]).toMatchObject({
      BillingCurrency: "USD",
      BillingPeriodStart: "2026-11-01T00:00:00Z",
      BillingPeriodEnd: "2026-12-01T00:00:00Z",
      ChargeCategory: "Usage",
      RegionId: "us-virginia",
      RegionName: "Virginia",
      ResourceType: "Model",
      PricingUnit: "Images",
      ConsumedUnit: "Images",
      SkuMeter: "image:1024x1024",
      SubAccountType: "Member",
    });
    expect(new Set(focus.map(({ PricingUnit }) => PricingUnit))).toEqual(new Set(["Images", "Tokens"]));
    for (const row of focus) {
      // Checks the specification's requirements for each row.
      for (const [name, cell] of Object.entries(row))
        if (/Period(Start|End)$/.test(name)) expect(cell, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      for (const name of ["ResourceName", "SubAccountName", "SubAccountType", "SkuMeter", "PricingCategory"])
        expect(row[name], name).toBeTruthy();
      expect(Number(row.ListUnitPrice) * Number(row.PricingQuantity)).toBeCloseTo(Number(row.ListCost), 9);
    }
    const skusOfPrice = Map.groupBy(focus, ({ SkuPriceId }) => SkuPriceId);
    for (const [price, rows] of skusOfPrice)
      expect(new Set(rows.map(({ SkuId }) => SkuId)).size, price).toBe(1);
    for (const file of [table, focus]) expect(JSON.stringify(file)).not.toContain("mkp_");

    const ofAll = await text("/operator/usage/export", operator);
    expect(ofAll).toHaveLength(all.length);
    expect(amountsOf(ofAll.map(({ cost }) => ({ amount: cost || null })))).toBe(
      amountsOf(all.map(({ cost = null }) => ({ amount: cost }))),
    );
  });

  it("can be limited to one metadata value, by day and model, also in files", async () => {
    const { accountId, session, key } = await gateway.createAccount();
    const { queries } = gateway.context.database;
    await queries
      .update(accounts)
      .set({ usageKeys: ["customer"] })
      .where(eq(accounts.id, accountId));
    const row = { accountId, key: "customer", unit: "token", requests: 2 };
    await queries.insert(usageByMetadata).values([
      { ...row, day: "2026-11-20", value: "acme", model: "m/a", quantity: 10, charge: "1.5" },
      { ...row, day: "2026-11-21", value: "acme", model: "m/a", quantity: 20, charge: "0.25" },
      { ...row, day: "2026-11-21", value: "acme", model: "m/b", quantity: 5, charge: null },
      { ...row, day: "2026-11-21", value: "other", model: "m/a", quantity: 7, charge: "9" },
    ]);
    const pair = "metadata=customer%3Dacme";
    const byModel = await ask(`/usage?group_by=model&${pair}`, session);
    expect(byModel.total).toMatchObject({ requests: 6, cost: { amount: "1.75", not_priced: 2 } });
    expect(byModel.data).toMatchObject([
      { model: "m/a", quantity: 30, requests: 4, cost: { amount: "1.75" } },
      { model: "m/b", quantity: 5, cost: { amount: null, not_priced: 2 } },
    ]);
    const days = await ask(`/usage?${pair}&from=2026-11-21&to=2026-11-30&model=m/a`, key);
    expect(days.data).toMatchObject([{ day: "2026-11-21", model: "m/a", quantity: 20, requests: 2 }]);
    expect((await ask("/usage?metadata=customer%3Dnobody", session)).data).toEqual([]);
    const file = await text(`/usage/export?${pair}&from=2026-11-21`, session);
    expect(file.map(({ day, model, quantity, cost }) => [day, model, quantity, cost])).toEqual([
      ["2026-11-21", "m/a", "20", "0.25"],
      ["2026-11-21", "m/b", "5", ""],
    ]);
    const focus = await text(`/usage/export?${pair}&format=focus`, session);
    expect(amountsOf(focus.map(({ BilledCost }) => ({ amount: BilledCost ?? null })))).toBe("1.75");
  });

  it.each([
    ["a key that the account has not named", "metadata=project%3Dx", "metadata", "usage_keys"],
    ["no pair", "metadata=customer", "metadata", "pattern"],
    [
      "a group that these sums have not",
      "metadata=customer%3Dx&group_by=day,provider",
      "group_by",
      "day, model",
    ],
    ["a key", "metadata=customer%3Dx&key_id=key_1", "key_id", "day and model"],
    ["a member", "metadata=customer%3Dx&user_id=usr_1", "user_id", "day and model"],
    ["a provider", "metadata=customer%3Dx&provider=acme", "provider", "day and model"],
    ["a batch", "metadata=customer%3Dx&batch_id=batch_1", "batch_id", "day and model"],
  ])(
    "of metadata are refused with %s, and the answer lists the alternatives",
    async (_name, query, param, says) => {
      await gateway.context.database.queries
        .update(accounts)
        .set({ usageKeys: ["customer"] })
        .where(eq(accounts.id, account.accountId));
      const paths = query.includes("group_by") ? ["/usage"] : ["/usage", "/usage/export"];
      for (const path of paths) {
        const { status, body } = await call(gateway, account.session, "GET", `${path}?${query}`);
        expect([status, body.error], path).toMatchObject([
          400,
          { param, message: expect.stringContaining(says) },
        ]);
      }
      // The sums cover the whole account, so a member who may see only their own usage cannot see them.
      const own = await call(gateway, member.session, "GET", "/usage?metadata=customer%3Dacme");
      expect(own.status).toBe(403);
    },
  );

  it("refuse unknown groups and formats", async () => {
    for (const query of [
      "group_by=",
      "group_by=colour",
      "group_by=day,,model",
      "group_by=account",
      "group_by=__proto__",
    ])
      expect((await call(gateway, account.session, "GET", `/usage?${query}`)).status, query).toBe(400);
    expect((await call(gateway, account.session, "GET", "/usage/export?format=xml")).status).toBe(400);
    expect((await call(gateway, account.session, "GET", "/usage?group_by=day,day")).status).toBe(200);
  });

  it("show the newest days if there are too many groups, with the total of all, and a file has all groups", async () => {
    const { accountId, session } = await gateway.createAccount();
    const [days, models] = [60, 300];
    await gateway.context.database.pool.query(
      `insert into usage_sums (account_id, day, model, provider, region, kind, unit, price_id, selling_id, batch_id, key_id,
         quantity, runs, cost, charge)
       select $1, to_char(date '2026-01-01' + day, 'YYYY-MM-DD'), 'm-' || model, 'acme', 'us-virginia', 'input_token', 'token',
         'price_1', '', '', 'key_1', 10, 2, 0.001, model * 0.001
       from generate_series(0, $2::int - 1) day, generate_series(1, $3::int) model`,
      [accountId, days, models],
    );
    const { data, has_more, total } = await ask("/usage?group_by=day,model", session);
    expect([data.length, has_more, total.requests]).toEqual([5_000, true, days * models * 2]);
    expect(total.cost.amount).toBe(String((days * models * (models + 1)) / 2 / 1_000));
    const byKind = await ask("/usage?group_by=day,kind", session);
    expect([byKind.data.length, byKind.has_more, byKind.total]).toEqual([days, false, total]);
    // Days newest first; within a day the most expensive first.
    const seen = data.map(({ day, model }) => `${day} ${model}`);
    const expected = Array.from({ length: days * models }, (_, at) => {
      const day = new Date(Date.UTC(2026, 0, days - Math.floor(at / models)));
      return `${day.toISOString().slice(0, 10)} m-${models - (at % models)}`;
    });
    expect(seen).toEqual(expected.slice(0, 5_000));
    const file = await text("/usage/export", session);
    expect(new Set(file.map(({ day, model }) => `${day} ${model}`))).toEqual(new Set(expected));
    expect(file).toHaveLength(days * models);
  });

  it("lead operators to the usage lines of their runs, page by page", async () => {
    const { queries } = gateway.context.database;
    const team = await gateway.createAccount();
    const guest = await gateway.addMember(team, "member");
    const runAt = (day: number, hour: number) =>
      ulidOf(firstIdAt("generation", Date.UTC(2026, 10, day, hour))).slice(0, 10);
    const people = [team.userId, guest.userId, null];
    const given = [20, 21, 22].flatMap((day) =>
      Array.from({ length: 6 }, (_, n) => ({
        run: `${runAt(day, n)}${String(n).padStart(16, "0")}`,
        userId: people[n % 3] ?? null,
        keyId: n % 3 === 2 ? "key_service" : null,
        provider: n % 2 === 0 ? "acme" : "other",
        day: `2026-11-${day}`,
      })),
    );
    await queries.insert(usageLines).values(
      given.flatMap((line) =>
        ["input_token", "output_token"].map((kind) => ({
          ...{ ...line, kind, runPrefix: "gen", unit: "token", quantity: 1, accountId: team.accountId },
          ...{ model: "acme/a", region: "us-virginia", cost: "1", charge: "2" },
        })),
      ),
    );
    await queries.insert(usageSums).values(
      [...new Map(given.map((line) => [`${line.day} ${line.userId} ${line.provider}`, line])).values()].map(
        ({ day, provider, keyId, userId }) => ({
          ...{ accountId: team.accountId, day, provider, model: "acme/a", region: "us-virginia" },
          ...{ kind: "input_token", unit: "token", priceId: "", sellingId: "", batchId: "" },
          ...{ keyId: keyId ?? userId ?? "", quantity: 1, runs: 1 },
        }),
      ),
    );
    const runsOf = async (filter: string) => {
      const runs: string[] = [];
      let after = "";
      for (let pages = 0; pages < 50; pages += 1) {
        const { body } = await call(
          gateway,
          operator,
          "GET",
          `/operator/usage/lines?${filter}&limit=2${after}`,
        );
        const page = body as { data: { run_id: string }[]; has_more: boolean; next_after: string | null };
        runs.push(...new Set(page.data.map(({ run_id }) => run_id)));
        expect(page.has_more).toBe(page.next_after !== null);
        if (page.next_after === null) return runs;
        after = `&after=${page.next_after}`;
      }
      throw new Error("the pages of lines have no end");
    };
    const expected = (isWanted: (line: (typeof given)[number]) => boolean) =>
      given.filter(isWanted).map(({ run }) => `gen_${run}`);
    const span = "from=2026-11-20&to=2026-11-30";
    expect(await runsOf(span)).toEqual(expected(() => true));
    expect(await runsOf("day=2026-11-21")).toEqual(expected(({ day }) => day === "2026-11-21"));
    expect(await runsOf("from=2026-11-21&to=2026-11-21&provider=other")).toEqual(
      expected(({ day, provider }) => day === "2026-11-21" && provider === "other"),
    );
    for (const [filter, isWanted] of [
      [`user_id=${guest.userId}`, ({ userId }) => userId === guest.userId],
      ["key_id=key_service", ({ keyId }) => keyId === "key_service"],
      [`account_id=${team.accountId}`, () => true],
      ["account_id=acct_none", () => false],
      ["model=acme/b", () => false],
    ] as [string, (line: (typeof given)[number]) => boolean][])
      expect(await runsOf(`${span}&${filter}`), filter).toEqual(expected(isWanted));
    // One page reads at most that many lines; the next page continues after them, even if none of them
    // matches.
    const few = { from: "2026-11-20", user_id: guest.userId };
    const page = await listUsageLines(gateway.context, few, 4);
    expect([page.data, page.has_more]).toMatchObject([[{ user_id: guest.userId }, {}], true]);
    expect(
      (await call(gateway, operator, "GET", "/operator/usage/lines?model=acme/a")).body.error,
    ).toMatchObject({
      code: "missing_parameter",
      param: "day",
    });
  });
});
