import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { newId, timeOfId } from "#contract/ids.ts";
import { bookOf, type PriceVersion } from "#gateway/billing/prices/book.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { Journal } from "./journal.ts";
import { pricedRun, type RunUsage, usageLines } from "./lines.ts";
import { createMeter, openMeter } from "./meter.ts";

const log = pino({ level: "silent" });
const teller = { write: async () => {}, announce() {} };
const price = (id: string, accountId: string | null): PriceVersion => ({
  id,
  accountId,
  model: "svc/chat-1",
  apiType: "chat-completions",
  provider: null,
  region: null,
  components: [
    { kind: "input_token", per: 1_000, rate: "0.123456789012" },
    { kind: "cached_input_token", per: 1_000, rate: "0.01" },
    { kind: "output_token", per: 1_000, rate: "1" },
  ],
  source: "console",
  effectiveAtMs: 0,
});

let accountId: string;
let dataDir: string;
const database = shared(createTestDatabase);
beforeEach(async () => {
  accountId = newId("account");
  await database.queries.insert(accounts).values({ id: accountId, name: "A", usageKeys: ["customer"] });
  dataDir = newFolder("journal");
});

const books = {
  cost: bookOf("USD", [price("prc_1", null)], []),
  markup: bookOf(
    "USD",
    [price("prc_1", null)],
    [{ id: "mkp_1", accountId: null, percent: "10", effectiveAtMs: 0 }],
  ),
  none: bookOf("USD", [], []),
};
const own = () => bookOf("USD", [price("prc_1", null), price("prc_2", accountId)], []);
function ended(run: Partial<RunUsage> = {}, book = books.cost) {
  const runId = newId("generation");
  const usage = pricedRun(book, {
    ...{ runId, accountId, keyId: "key_1", userId: null, model: "svc/chat-1", apiType: "chat-completions" },
    ...{ provider: "acme", region: "us-virginia", admittedAtMs: timeOfId(runId), sandbox: false },
    ...{ metadata: { customer: 'a "quoted"\nname' }, batchId: null },
    lines: usageLines({ unit: "token", quantity: 17 }, { tokens: { prompt_tokens: 12 } }),
    ...run,
  });
  return { runId, usage, reserved: false };
}

/** Five of its input tokens came from the provider's cache. */
const cached = usageLines(
  { unit: "token", quantity: 17 },
  { tokens: { prompt_tokens: 12, prompt_tokens_details: { cached_tokens: 5 } } },
);

const folder = () => path.join(dataDir, "settled");
const files = () => readdirSync(folder()).map((name) => path.join(folder(), name));
const recorded = () =>
  files().flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );

/** Copies the recorded entries to the files of another process, with this presence in the database. */
async function leave(owner: string, seen: "lately" | "long ago" | "never"): Promise<string> {
  await database.pool.query("delete from gateway_processes where id = $1", [owner]);
  if (seen !== "never")
    await database.pool.query(
      "insert into gateway_processes (id, seen_at) values ($1, now() - $2::interval)",
      [owner, seen === "lately" ? "0 seconds" : "30 seconds"],
    );
  const left = path.join(folder(), `${owner}~0a0b0c0d.jsonl`);
  for (const file of files()) appendFileSync(left, readFileSync(file));
  return left;
}
const isThere = (file: string) => files().includes(file);
async function sums() {
  const { rows } = await database.pool.query(
    `select kind, provider, price_id, selling_id, key_id, batch_id, runs, quantity::text, cost::text, charge::text
     from usage_sums where account_id = $1 order by 1, 2, 3, 4, 5, 6`,
    [accountId],
  );
  const by = await database.pool.query(
    "select value, requests, cost::text from usage_by_metadata where account_id = $1 order by 1",
    [accountId],
  );
  const cache = await database.pool.query(
    `select upstream_key, input_tokens::text, cached_tokens::text, runs, saved_cost::text, saved_charge::text
     from prompt_cache_days where account_id = $1 order by 1`,
    [accountId],
  );
  return [...rows, ...by.rows, ...cache.rows];
}

it("records a run before it is in the database, and removes it afterwards, also while other runs end", async () => {
  const journal = new Journal(dataDir, log);
  let meanwhile = () => {};
  const slow = {
    write: async () => meanwhile(),
    announce() {},
  };
  const meter = createMeter(database, log, slow, journal);
  const first = ended();
  meter.add(first);
  expect(recorded()).toEqual([expect.stringContaining(first.runId)]);
  const second = ended();
  meanwhile = () => {
    meter.add(second);
    meanwhile = () => {};
  };
  await meter.flush();
  expect(recorded()).toEqual([expect.stringContaining(second.runId)]);
  await meter.flush();
  expect(recorded()).toEqual([]);
  await meter.close();
  journal.close();
  expect(files()).toEqual([]);
});

it("records runs that end together before any of them is answered", async () => {
  const journal = new Journal(dataDir, log);
  const meter = createMeter(database, log, teller, journal);
  const runs = [ended(), ended()];
  await Promise.race(runs.map((run) => meter.addSoon(run)));
  expect(recorded()).toEqual(runs.map(({ runId }) => expect.stringContaining(runId)));
  await meter.flush();
  expect(recorded()).toEqual([]);
  await meter.close();
  journal.close();
});

it("usage left by a dead process is metered exactly once, even if it was already written", async () => {
  const journal = new Journal(dataDir, log);
  const meter = createMeter(database, log, teller, journal);
  const runs = [
    ended(),
    ended({}, books.markup),
    ended({ batchId: "batch_1", keyId: null, userId: "usr_1" }, own()),
    ended({}, books.none),
    ended({ sandbox: true, provider: "sandbox" }),
    ended({ lines: cached, upstreamKey: "main" }, books.markup),
  ];
  for (const run of runs) meter.add(run);
  await leave("host:1:left", "never");
  await meter.close();
  const written = await sums();
  expect(written).toContainEqual({
    ...{ upstream_key: "main", input_tokens: "12", cached_tokens: "5", runs: 1 },
    ...{ saved_cost: "0.000567283945", saved_charge: "0.000624012340" },
  });
  const again = await openMeter(dataDir, database, log, teller);
  expect(await sums()).toEqual(written);
  await again.close();
  await database.pool.query("delete from usage_lines where account_id = $1", [accountId]);
  for (const table of ["usage_sums", "usage_daily", "usage_by_metadata", "prompt_cache_days"])
    await database.pool.query(`delete from ${table} where account_id = $1`, [accountId]);
  for (const run of runs) journal.append(run);
  await leave("host:1:left", "never");
  const next = await openMeter(dataDir, database, log, teller);
  expect(await sums()).toEqual(written);
  await next.close();
  journal.close();
});

it("a living process keeps its file; the file of a process not seen for long is replayed at the second check", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const journal = new Journal(dataDir, log);
  journal.append(ended());
  const alive = await leave("host:1:alive", "lately");
  const silent = await leave("host:2:silent", "long ago");
  const meter = await openMeter(dataDir, database, log, teller);
  expect([isThere(alive), isThere(silent)]).toEqual([true, true]);
  expect(await sums()).toEqual([]);
  // The process dies while its files are read.
  await database.pool.query("delete from gateway_processes where id = 'host:1:alive'");
  vi.advanceTimersByTime(10_000);
  const once = expect.objectContaining({ kind: "input_token", runs: 1 });
  await expect.poll(sums).toContainEqual(once);
  expect([isThere(alive), isThere(silent)]).toEqual([true, false]);
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => isThere(alive)).toBe(false);
  await meter.close();
  expect(await sums()).toContainEqual(once);
  journal.close();
});

it("skips a truncated entry, keeps a file that cannot be written yet, and recreates a removed one", async () => {
  const journal = new Journal(dataDir, log);
  const [first, second] = [ended(), ended()];
  journal.append(first);
  appendFileSync(String(files().find((file) => readFileSync(file).length > 0)), '\n["gen_cut');
  journal.append(second);
  const left = await leave("host:3:dead", "never");
  const copy = path.join(dataDir, "copy");
  copyFileSync(left, copy);

  const away = new Proxy(database, {
    get: (target, name) => {
      if (name === "queries" || name === "transaction")
        throw Object.assign(new Error("away"), { code: "08006" });
      return Reflect.get(target, name);
    },
  });
  await (await openMeter(dataDir, away, log, teller)).close();
  expect(readFileSync(left)).toEqual(readFileSync(copy));
  await (await openMeter(dataDir, database, log, teller)).close();
  expect(isThere(left)).toBe(false);
  expect(await sums()).toContainEqual(expect.objectContaining({ kind: "input_token", runs: 2 }));

  for (const file of files()) rmSync(file);
  const meter = createMeter(database, log, teller, journal);
  await meter.flush();
  meter.add(ended());
  await meter.flush();
  const last = ended();
  meter.add(last);
  expect(recorded()).toEqual([expect.stringContaining(last.runId)]);
  await meter.close();
  journal.close();
});
