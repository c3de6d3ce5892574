import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId, timeOfId } from "#contract/ids.ts";
import { type BudgetPeriod, type Budgets, budgetPeriods } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import { createMeter, type Meter } from "#gateway/billing/usage/meter.ts";
import { recordUsage } from "#gateway/billing/usage/record.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys, members, users } from "#gateway/platform/database/schema.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import type { Reached } from "./book.ts";
import { createMoneyReservations, type MoneyReservations } from "./reservations.ts";
import { releaseExpired } from "./reserve.ts";
import { startOf } from "./state.ts";

const log = pino({ level: "silent" });
const accountId = "acct_1";
const hard = (amount: string, period: BudgetPeriod) => ({ amount, currency: "USD", period, hard: true });
const soft = (amount: string, period: BudgetPeriod) => ({ ...hard(amount, period), hard: false });

/** The money-related parts of a gateway process. */
interface Process {
  money: MoneyReservations;
  meter: Meter;
}

interface Run {
  id: string;
  process: Process;
  caller: Caller;
  most: string;
  task: string | null;
  reserved: boolean;
}

const metadataOf = (task: string | null) => (task === null ? null : { session: task, customer: "acme" });

interface Caller {
  keyId: string | null;
  userId: string | null;
}

let reached: Reached[];
const database = shared(createTestDatabase);
beforeEach(async () => {
  reached = [];
  vi.useFakeTimers({ now: Date.parse("2026-11-18T10:00:00Z"), toFake: ["Date"] });
  await database.pool.query("delete from accounts; delete from users; delete from usage_lines");
  await database.queries.insert(accounts).values({ id: accountId, name: "A" });
});
afterEach(() => void vi.useRealTimers());

function startProcess(): Process {
  const meter = createMeter(database, log, {
    write: async (_queries, found) => void reached.push(...found),
    announce() {},
  });
  return { meter, money: createMoneyReservations({ database, currency: "USD", unwritten: meter, log }) };
}

async function addKey(id: string, budgets: Budgets | null, userId: string | null = null): Promise<Caller> {
  const key = {
    id,
    accountId,
    name: id,
    hint: "",
    secretHash: id,
    scopes: [],
    budgets,
    userId,
    answeredBy: "usr_0",
  };
  await database.queries.insert(apiKeys).values(key);
  return { keyId: id, userId };
}

/** A key with a cap per task. */
async function addCapped(id: string, limits: { amount?: string; max_runs?: number }): Promise<Caller> {
  const key = await addKey(id, null);
  const taskBudget = { metadata_key: "session", amount: null, currency: "USD", max_runs: null, ...limits };
  await database.queries.update(apiKeys).set({ taskBudget }).where(eq(apiKeys.id, id));
  return key;
}

async function addMember(id: string, budgets: Budgets | null): Promise<Caller> {
  await database.queries.insert(users).values({ id, email: id, name: id });
  await database.queries.insert(members).values({ accountId, userId: id, role: "member", budgets });
  return { keyId: null, userId: id };
}

const setAccount = (values: { budgets?: Budgets; credit?: string }) =>
  database.queries.update(accounts).set(values);

async function start(
  process: Process,
  caller: Caller,
  most: string,
  id = newId("generation"),
  task: string | null = null,
): Promise<Run> {
  const actor = {
    accountId,
    kind: caller.keyId ? ("key" as const) : ("user" as const),
    id: caller.keyId ?? String(caller.userId),
    userId: caller.userId,
    name: "A",
    hasMoneyLimit: true,
    taskKeys: task === null ? [] : ["session"],
  };
  const reserved = await process.money.reserve(
    { actor, batchId: null, metadata: metadataOf(task) },
    { id, model: "svc/chat-1", most: { amount: most } },
  );
  return { id, process, caller, most, task, reserved: reserved !== null };
}

function usageOf({ id, caller, task = null }: Run, charge: string): RunUsage {
  const amount = decimalOf(charge);
  const side = { amount, lines: [{ amount, priceId: "price_1", component: 0, saved: null }] };
  return {
    ...caller,
    runId: id,
    accountId,
    model: "svc/chat-1",
    apiType: "chat-completions",
    admittedAtMs: timeOfId(id),
    sandbox: false,
    provider: "p",
    region: "r",
    metadata: metadataOf(task),
    batchId: null,
    lines: [{ kind: "operation", unit: "operation", quantity: 1, priceKind: "operation", facts: null }],
    priced: { cost: side, charge: side, markupId: null, reason: null },
  };
}

function end(run: Run, charge: string | null): void {
  const { id: runId, process } = run;
  const reservedMoney = process.money.end(runId);
  const usage = charge === null ? null : usageOf(run, charge);
  process.meter.add({ runId, usage, reserved: false, reservedMoney });
}

/** Writes everything; a write that fails on a busy machine is repeated. */
async function written(processes: readonly Process[]): Promise<void> {
  for (const { meter } of processes)
    do await meter.flush();
    while (meter.waiting() > 0);
}

/** Simulates reservations that nobody has renewed. */
const expire = (runs: readonly Run[]) =>
  database.pool.query(
    "update money_reservations set expires_at = now() - interval '1 second' where run_id = any ($1)",
    [runs.map(({ id }) => id)],
  );

/** Balances that are not zero, by holder, period and first day. */
async function balances(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query(
    `select holder || ' ' || period || ' ' || starts_on as name, trim_scale(spent) || ' ' || trim_scale(reserved) as value
     from budget_balances where spent <> 0 or reserved <> 0`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

describe("a budget in money", () => {
  it("is enforced across three processes under 200 parallel runs", async () => {
    await setAccount({ budgets: [hard("10", "month"), soft("5", "month")] });
    const keys = await Promise.all(
      Array.from({ length: 4 }, (_, at) => addKey(`key_${at}`, [hard("4", "day")])),
    );
    const processes = [startProcess(), startProcess(), startProcess()];
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) =>
        start(processes[at % 3] as Process, keys[at % 4] as Caller, "0.3"),
      ),
    );
    const started = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    expect(started).toHaveLength(33);
    expect(await balances()).toMatchObject({ "acct_1 month 2026-11-01": "0 9.9" });
    for (const run of started) end(run, "0.1");
    await written(processes);
    expect(await balances()).toMatchObject({ "acct_1 month 2026-11-01": "3.3 0", "acct_1 total ": "3.3 0" });
    const again = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) => start(processes[at % 3] as Process, keys[0] as Caller, "0.3")),
    );
    // The key has spent 0.8 or 0.9 of 4.
    expect(again.filter(({ status }) => status === "fulfilled").length).toBeOneOf([10, 11]);
  });

  it("names the budget that refuses, its remaining amount, when it resets and who can raise it", async () => {
    await database.queries.insert(users).values({ id: "usr_0", email: "ada", name: "Ada" });
    await database.queries.insert(members).values({ accountId, userId: "usr_0", role: "owner" });
    const key = await addKey("key_1", [hard("2", "week")]);
    const process = startProcess();
    await start(process, key, "0.5");
    await expect(start(process, key, "1.6")).rejects.toMatchObject({
      code: "budget_exceeded",
      message:
        "This key has a hard budget of 2 USD a week. 1.5 USD of it is left (0 spent, 0.5 reserved by active runs). " +
        "This run may cost up to 1.6 USD. It resets at 2026-11-23T00:00:00.000Z. A member with the role owner or admin can raise it.",
      details: expect.arrayContaining([
        expect.objectContaining({ role: "owner", members: [{ id: "usr_0", name: "Ada" }] }),
      ]),
      refusedBy: {
        budget: {
          ...{ holder: { type: "key", id: "key_1" }, prepaid: false },
          ...{ amount: "2", unit: "USD", period: "week" },
        },
        left: "1.5",
        resets_at: "2026-11-23T00:00:00.000Z",
      },
    });
  });

  it("refuses a model without a price if it is hard, and lets it run if it is soft", async () => {
    const process = startProcess();
    const [key, other] = [
      await addKey("key_1", [hard("2", "total")]),
      await addKey("key_2", [soft("2", "total")]),
    ];
    const reserve = ({ keyId }: Caller) =>
      process.money.reserve(
        {
          actor: {
            accountId,
            kind: "key",
            id: String(keyId),
            userId: null,
            name: "A",
            hasMoneyLimit: true,
            taskKeys: [],
          },
          batchId: null,
          metadata: null,
        },
        { id: newId("generation"), model: "svc/new", most: { amount: null, reason: "not priced" } },
      );
    await expect(reserve(key)).rejects.toMatchObject({
      code: "not_priced",
      message: expect.stringContaining("svc/new"),
    });
    await expect(reserve(other)).resolves.toBe("0");
  });

  it("lets a prepaid account spend its credit, whatever it spent before it was prepaid", async () => {
    const key = await addKey("key_1", null);
    const process = startProcess();
    await recordUsage(database.queries, [usageOf({ id: newId("generation"), caller: key } as Run, "7")]);
    await setAccount({ credit: "9" });
    const run = await start(process, key, "2");
    await expect(start(process, key, "0.000000000001")).rejects.toMatchObject({ code: "budget_exceeded" });
    end(run, "1.5");
    await start(process, key, "0.5");
    await expect(start(process, key, "0.1")).rejects.toMatchObject({
      message: expect.stringContaining("An operator of this installation can add credit."),
    });
  });

  it("is not read for a free run or for a caller without a budget", async () => {
    const transaction = vi.spyOn(database.queries, "execute");
    const key = await addKey("key_1", [hard("1", "day")]);
    const process = startProcess();
    expect(await start(process, key, "0")).toMatchObject({ reserved: false });
    const actor = {
      accountId,
      kind: "key",
      id: "key_1",
      userId: null,
      name: "A",
      hasMoneyLimit: false,
      taskKeys: [],
    } as const;
    const run = { id: newId("generation"), model: "m", most: { amount: "5" } };
    expect(await process.money.reserve({ actor, batchId: null, metadata: null }, run)).toBeNull();
    expect(transaction).not.toHaveBeenCalled();
    transaction.mockRestore();
  });

  it("that is added later includes earlier spending", async () => {
    const key = await addKey("key_1", null);
    const process = startProcess();
    await recordUsage(database.queries, [usageOf({ id: newId("generation"), caller: key } as Run, "3")]);
    await setAccount({ budgets: [hard("4", "month")] });
    await expect(start(process, key, "1.1")).rejects.toMatchObject({ code: "budget_exceeded" });
    await start(process, key, "1");
  });

  it("starts again with each period, and a run counts in the period of its admission", async () => {
    vi.setSystemTime(Date.parse("2026-11-29T23:59:59.999Z")); // The date is a Sunday.
    const key = await addKey("key_1", [hard("1", "day"), hard("2", "week"), hard("3", "month")]);
    const process = startProcess();
    const late = await start(process, key, "1");
    vi.setSystemTime(Date.parse("2026-11-30T00:00:00Z"));
    const next = await start(process, key, "1");
    await expect(start(process, key, "0.1")).rejects.toMatchObject({
      message: expect.stringContaining("a day"),
    });
    end(late, "1");
    end(next, "1");
    vi.setSystemTime(Date.parse("2026-12-01T00:00:00Z"));
    end(await start(process, key, "1"), "1");
    await written([process]);
    expect(await balances()).toMatchObject({
      "key_1 day 2026-11-29": "1 0",
      "key_1 day 2026-11-30": "1 0",
      "key_1 day 2026-12-01": "1 0",
      "key_1 week 2026-11-23": "1 0",
      "key_1 week 2026-11-30": "2 0",
      "key_1 month 2026-11-01": "2 0",
      "key_1 month 2026-12-01": "1 0",
      "key_1 total ": "3 0",
    });
    vi.setSystemTime(Date.parse("2026-12-02T00:00:00Z"));
    await expect(start(process, key, "0.1")).rejects.toMatchObject({
      message: expect.stringContaining("a week"),
    });
  });

  it("reports each threshold (50, 80, 100 %) once, even if many runs end at the same time in several processes", async () => {
    const key = await addKey("key_1", [soft("2", "day"), hard("10", "total")]);
    const processes = [startProcess(), startProcess(), startProcess()];
    const runs = await Promise.all(
      Array.from({ length: 30 }, (_, at) => start(processes[at % 3] as Process, key, "0.1")),
    );
    for (const run of runs) end(run, "0.1");
    await written(processes);
    const told = () => reached.map(({ period, share, amount }) => `${share} % of ${amount} ${period}`).sort();
    expect(told()).toEqual(["100 % of 2 day", "50 % of 2 day", "80 % of 2 day"]);
    await database.queries.update(apiKeys).set({ budgets: [soft("4", "day")] });
    end(await start(processes[0] as Process, key, "0.2"), "0.2");
    await written(processes);
    expect(told()).toEqual([
      "100 % of 2 day",
      "50 % of 2 day",
      "50 % of 4 day",
      "80 % of 2 day",
      "80 % of 4 day",
    ]);
  });
});

describe("a cap per task", () => {
  /** Spending, reservations and runs by value. */
  async function ofTasks(): Promise<Record<string, string>> {
    const { rows } = await database.pool.query(
      `select value, trim_scale(spent) || ' ' || trim_scale(reserved) || ' ' || runs as state
       from tasks join budget_balances b on b.holder = tasks.id`,
    );
    return Object.fromEntries(rows.map(({ value, state }) => [value, state]));
  }
  const parallel = (processes: readonly Process[], key: Caller, most: string, task: string) =>
    Promise.allSettled(
      Array.from({ length: 60 }, (_, at) =>
        start(processes[at % 2] as Process, key, most, newId("generation"), task),
      ),
    );
  const startedOf = (results: PromiseSettledResult<Run>[]) =>
    results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));

  it("is exact in money for each value under parallel runs of two processes", async () => {
    const key = await addCapped("key_1", { amount: "2" });
    const processes = [startProcess(), startProcess()];
    const [first, second] = await Promise.all([
      parallel(processes, key, "0.3", "one"),
      parallel(processes, key, "0.3", "two"),
    ]);
    expect([startedOf(first).length, startedOf(second).length]).toEqual([6, 6]);
    expect(await ofTasks()).toEqual({ one: "0 1.8 6", two: "0 1.8 6" });
    for (const run of startedOf(first)) end(run, "0.1");
    for (const run of startedOf(second)) end(run, null);
    await written(processes);
    // A run that used nothing does not count.
    expect(await ofTasks()).toEqual({ one: "0.6 0 6", two: "0 0 0" });
    expect(startedOf(await parallel(processes, key, "0.3", "one"))).toHaveLength(4);
  });

  it("is exact in runs, and includes runs that cost nothing", async () => {
    const key = await addCapped("key_1", { max_runs: 5 });
    const processes = [startProcess(), startProcess()];
    const started = startedOf(await parallel(processes, key, "0", "one"));
    expect(started).toHaveLength(5);
    for (const run of started) end(run, "0");
    await written(processes);
    expect(await ofTasks()).toEqual({ one: "0 0 5" });
    await expect(start(processes[0] as Process, key, "0", newId("generation"), "one")).rejects.toMatchObject({
      code: "budget_exceeded",
      message: expect.stringContaining('The task "one" (metadata "session") has a cap of 5 runs'),
      refusedBy: {
        budget: { holder: { type: "task" }, amount: "5", unit: "run" },
        left: "0",
        task: { value: "one", spent: "0", limit: null, runs: 5, max_runs: 5, ended: false },
      },
    });
  });

  it("counts a run whose process died before it could be metered", async () => {
    const key = await addCapped("key_1", { amount: "2", max_runs: 9 });
    const [dead, other] = [startProcess(), startProcess()];
    const run = await start(dead, key, "0.5", newId("generation"), "one");
    await expire([run]);
    await releaseExpired(database);
    expect(await ofTasks()).toEqual({ one: "0 0 0" });
    // Another process reads the journal of the dead one.
    other.meter.add({ runId: run.id, usage: usageOf(run, "0.4"), reserved: false, reservedMoney: true });
    await written([other]);
    expect(await ofTasks()).toEqual({ one: "0.4 0 1" });
  });

  it("of an account counts the runs of all its keys", async () => {
    const [one, two] = [await addKey("key_1", null), await addKey("key_2", null)];
    const taskBudget = { metadata_key: "session", amount: "1", currency: "USD", max_runs: null };
    await database.queries.update(accounts).set({ taskBudget });
    const process = startProcess();
    await start(process, one, "0.6", newId("generation"), "one");
    await expect(start(process, two, "0.6", newId("generation"), "one")).rejects.toMatchObject({
      refusedBy: { task: { value: "one", limit: "1" }, left: "0.4" },
    });
    await start(process, two, "0.6", newId("generation"), "two");
  });
});

describe("a balance", () => {
  it("counts each run once: parallel, failed, canceled, written twice, killed and late", async () => {
    const random = seededRandom("balances");
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const amount = (most: number) => decimalText(BigInt(Math.floor(random() * most * 1e12)));
    await setAccount({ budgets: [hard("40", "month"), soft("10", "week")] });
    const anna = await addMember("usr_anna", [hard("8", "day")]);
    const callers = [
      anna,
      await addMember("usr_ben", null),
      await addKey("key_anna", [hard("5", "week")], "usr_anna"),
      await addKey("key_service", [hard("15", "total"), soft("12", "total")]),
      await addKey("key_free", null),
    ];
    const holdersOf = ({ keyId, userId }: Caller) =>
      [accountId, userId && `${userId} ${accountId}`, keyId].filter((holder) => holder !== null);
    let processes = [startProcess(), startProcess(), startProcess()];
    /** The expected value of every balance, and the runs in progress. */
    const spent = new Map<string, bigint>();
    const open = new Set<Run>();
    const metered: RunUsage[] = [];
    const count = (run: Run, charge: string) => {
      for (const holder of holdersOf(run.caller))
        for (const period of budgetPeriods) {
          const name = `${holder} ${period} ${startOf(period, timeOfId(run.id))}`;
          spent.set(name, (spent.get(name) ?? 0n) + decimalOf(charge));
        }
    };
    const finish = (run: Run) => {
      open.delete(run);
      const outcome = random();
      if (outcome < 0.25) return end(run, null); // The run failed or was canceled.
      const charge = amount(Math.min(Number(run.most), 1));
      end(run, charge);
      count(run, charge);
      metered.push(usageOf(run, charge));
    };
    for (let round = 0; round < 40; round += 1) {
      vi.setSystemTime(Date.now() + pick([0, 3_600_000, 40_000_000]));
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, () => start(pick(processes), pick(callers), amount(2))),
      );
      for (const result of results) {
        if (result.status === "fulfilled") open.add(result.value);
        else expect(result.reason).toMatchObject({ code: "budget_exceeded" });
      }
      for (const run of [...open]) if (random() < 0.6) finish(run);
      if (random() < 0.3) {
        // Writes some runs again, as if the answers had been lost.
        const again = [...metered].sort(() => random() - 0.5).slice(0, 5);
        const reservedMoney = again.map(({ runId }) => runId);
        reached.push(...(await recordUsage(database.queries, again, { reservedMoney })));
      }
      if (random() < 0.2) {
        // Kills a process: its reservations are never ended, but released by another process.
        const [dead, ...others] = processes as [Process, ...Process[]];
        await written([dead]);
        const lost = [...open].filter(({ process }) => process === dead);
        for (const run of lost) open.delete(run);
        await expire(lost);
        await Promise.all([releaseExpired(database), releaseExpired(database, accountId)]);
        dead.money.close();
        processes = [...others, startProcess()];
      }
      await written(processes);
      for (const [name, value] of Object.entries(await balances())) {
        expect([name, value.split(" ")[0]]).toEqual([name, decimalText(spent.get(name) ?? 0n)]);
      }
    }
    for (const run of [...open]) finish(run);
    await written(processes);
    const expected = [...spent].filter(([, value]) => value > 0n);
    expect(await balances()).toEqual(
      Object.fromEntries(expected.map(([name, value]) => [name, `${decimalText(value)} 0`])),
    );
    expect((await database.queries.execute(sql`select from money_reservations`)).rows).toEqual([]);
    const names = reached.map(({ holder, period, startsOn, amount: of, hard: is, share }) =>
      [holder, period, startsOn, of, is, share].join(" "),
    );
    expect(new Set(names).size).toBe(names.length);
    const total = spent.get("acct_1 month 2026-11-01") ?? 0n;
    expect(total).toBeLessThanOrEqual(decimalOf("40"));
    expect(names.filter((name) => name.startsWith("acct_1 month 2026-11-01 40"))).toHaveLength(
      [50n, 80n, 100n].filter((share) => total * 100n >= decimalOf("40") * share).length,
    );
  });
});
