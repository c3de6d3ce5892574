import { beforeEach, expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/districts.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { writeLog } from "#gateway/platform/http/request-log.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { figureFoldSweep, figureSweeps } from "./fold.ts";
import {
  type Amount,
  addRow,
  everyAccount,
  type FigureQuery,
  type FigureRow,
  noAmount,
  readFigures,
  type Step,
} from "./read.ts";
import { addFigures, countRun, countTry, FigureSums } from "./sums.ts";

import { type Measured, pairsOf, percentiles } from "./times.ts";

const dayMs = 86_400_000;
const noon = Date.parse("2026-03-29T12:00:00Z");

let accountId: string;
const database = shared(createTestDatabase);
beforeEach(() => {
  accountId = newId("account");
});

const context = () => ({ database, history: { days: 10, auditDays: 100 } }) as Context;
const fold = () => sweepAll(context(), figureFoldSweep);
const read = (step: Step, more: Partial<FigureQuery> = {}) =>
  readFigures(database, {
    ...{ accountId, set: "model", kinds: ["answer"], step, by: ["model"] },
    ...{ from: noon - 5 * dayMs, to: noon + 5 * dayMs },
    ...more,
  });
const totalOf = async (step: Step, more: Partial<FigureQuery> = {}) => {
  const total = noAmount();
  for (const row of await read(step, more)) addRow(total, row);
  return total;
};
const run = (model: string, answerMs: number, tokensOut = 1) => ({
  ...{ accountId, kind: "answer" as const, model, operation: "POST /v1/chat/completions", keyId: "key_1" },
  ...{ provider: "one", region: "us-virginia", status: 200, code: "", answerMs, tokensOut },
});

it("minutes, hours and days have the same sums before and after folding, in any order, by several processes", async () => {
  const random = seededRandom("folding");
  const whole = new FigureSums();
  for (let batch = 0; batch < 60; batch += 1) {
    const sums = new FigureSums();
    for (let count = 0; count < 20; count += 1) {
      const at = noon + (random() - 0.5) * 4 * dayMs;
      const one = run(`m${Math.floor(random() * 3)}`, random() * 9_000, 3);
      countRun(sums, one, at);
      countRun(whole, one, noon);
    }
    await addFigures(database.queries, sums);
    if (batch % 13 === 0) await Promise.all([fold(), fold(), fold()]);
  }
  const expected = noAmount();
  for (const sum of whole.values())
    if (sum.set === "model") addRow(expected, { ...sum, labels: [], times: `{${pairsOf(sum.times)}}` });
  const check = async (accounts: string) => {
    for (const step of ["minute", "hour", "day"] as const) {
      expect(await totalOf(step, { accountId: accounts })).toEqual(expected);
    }
  };
  await check(accountId);
  await fold();
  await check(accountId);
  await check(everyAccount);
  expect(await database.queries.$count(sql`figure_additions`)).toBe(0);
});

it("a change to summer time makes no difference, because hours and days are in UTC", async () => {
  const sums = new FigureSums();
  for (let hour = 0; hour < 48; hour += 1)
    countRun(sums, run("m", 5), Date.parse("2026-03-28T12:30:00Z") + hour * 3_600_000);
  await addFigures(database.queries, sums);
  await fold();
  expect(new Set((await read("hour")).map(({ at }) => at)).size).toBe(48);
  expect(
    (await read("day")).map(({ at, runs }) => [new Date(at).toISOString().slice(0, 10), runs]).sort(),
  ).toEqual([
    ["2026-03-28", 12],
    ["2026-03-29", 24],
    ["2026-03-30", 12],
  ]);
});

const logRow = (id = newId("request")) => ({
  ...{ id, account_id: accountId, at: new Date(noon), method: "POST", route: "/v1/chat/completions" },
  ...{ status: 200, code: null, model: "svc/chat-1", region: "us-virginia", provider: "one", alias: null },
  ...{
    metadata: null,
    key_id: "key_1",
    user_id: null,
    duration_ms: 100,
    usage_unit: "token",
    usage_quantity: 10,
    charge: null,
    charge_reason: null,
  },
  ...{ from_session: false, run_id: newId("generation"), bytes_in: 10, bytes_out: 20, tokens_out: 4 },
  ...{
    asked_ms: 2,
    first_ms: null,
    answered_ms: 99,
    failed_tries: null as string | null,
    guards: null,
    upstream_key: null,
    failure: null,
    contents: null,
    client_request_id: null,
    conversation: null,
  },
  ...{ actor_id: "key_1", of_operation: true },
});

it("a log batch that is sent again after its confirmation was lost counts once, together with new rows", async () => {
  const [first, second] = [logRow(), logRow()];
  await writeLog(database, [first]);
  await writeLog(database, [first]);
  await fold();
  await writeLog(database, [first, second]);
  await Promise.all([fold(), fold()]);
  expect(await totalOf("minute")).toMatchObject({ runs: 2, tokensIn: 12, tokensOut: 8, bytesOut: 40 });
  expect(await totalOf("day")).toMatchObject({ runs: 2 });
});

it("a fold that is killed before its commit counts nothing twice", async () => {
  await writeLog(database, [logRow(), logRow()]);
  const broken = {
    ...database,
    transaction: (work: Parameters<Database["transaction"]>[0]) =>
      database.transaction(async (queries) => {
        await work(queries);
        throw new Error("killed");
      }),
  };
  await expect(figureFoldSweep.run({ ...context(), database: broken as Database })).rejects.toThrow("killed");
  expect(await totalOf("hour")).toMatchObject({ runs: 2 });
  await fold();
  expect(await totalOf("hour")).toMatchObject({ runs: 2 });
});

it("figures count every upstream that was tried, and the one that answered", async () => {
  const failed = { provider: "busy", model: "svc/chat-1", region: "us-virginia", key: null };
  const refusals = Array.from({ length: 13 }, () => ({
    ...failed,
    ...{ code: "upstream_rate_limited", status: 429, duration_ms: 3 },
  }));
  await writeLog(database, [{ ...logRow(), failed_tries: JSON.stringify(refusals) }]);
  await fold();
  const tries = await read("minute", { set: "try", kinds: ["try"], by: ["provider"] });
  expect(tries.map(({ labels, code, runs }) => [labels[0], code, runs]).sort()).toEqual([
    ["busy", "upstream_rate_limited", 13],
    ["one", "", 1],
  ]);
});

it.each([
  { shorter: "payer", of: "key", by: "key_id", kinds: ["answer"], since: "figure_payers_since" },
  { shorter: "place", of: "key", by: "region", kinds: ["answer"], since: "figure_places_since" },
  { shorter: "place", of: "try", by: "provider", kinds: ["try"], since: "figure_places_since" },
] as const)(
  "$shorter by $by add up to the longer $of, folded or not, also for rows older than these figures",
  async ({ shorter, of, by, kinds, since }) => {
    const sums = new FigureSums();
    for (let count = 0; count < 60; count += 1) {
      const where = { provider: `p${count % 3}`, region: count % 2 ? "us-virginia" : "eu-frankfurt" };
      const at = noon + ((count % 8) - 4) * (dayMs / 2);
      const one = { ...run(`m${count % 5}`, count * 90), keyId: `key_${count % 5}`, ...where };
      countRun(sums, one, at);
      countTry(sums, one, at);
    }
    await addFigures(database.queries, sums);
    const check = async (isOfLonger: (rows: number, ofLonger: number) => boolean) => {
      for (const step of ["minute", "hour", "day"] as const) {
        const more = { by: [by], kinds, from: noon - 3 * dayMs };
        const longer = await read(step, { ...more, set: of });
        const alone = await read(step, { ...more, set: shorter });
        expect(isOfLonger(alone.length, longer.length)).toBe(true);
        expect(totals(longer).size).toBeGreaterThan(1);
        expect(totals(alone)).toEqual(totals(longer));
      }
    };
    await check((rows, ofLonger) => rows === ofLonger);
    await fold();
    await check((rows, ofLonger) => rows < ofLonger);
    const beginAt = (at: string) =>
      database.pool.query(
        `create or replace function ${since}() returns timestamptz language sql immutable as $$ select '${at}'::timestamptz $$`,
      );
    await beginAt("2026-03-29");
    await database.pool.query(
      "delete from figures f using figure_series s where s.id = f.series_id and s.account_id = $1 and s.set = $2 and f.at < '2026-03-29'",
      [accountId, shorter],
    );
    await check((rows, ofLonger) => rows < ofLonger);
    await beginAt("-infinity");
  },
);

const totals = (rows: FigureRow[]) => {
  const byLabel = new Map<string, Amount>();
  for (const row of rows) {
    const [label = ""] = row.labels;
    const total = byLabel.get(label) ?? noAmount();
    addRow(total, row);
    byLabel.set(label, total);
  }
  return byLabel;
};

it("old figures are removed when their step expires, and a series is removed with its last figure", async () => {
  const sums = new FigureSums();
  const now = Date.now();
  for (const days of [0, 3, 20, 200]) countRun(sums, run("m", 5), now - days * dayMs);
  countRun(sums, run("forgotten", 5), now - 200 * dayMs);
  await addFigures(database.queries, sums);
  await fold();
  for (const sweep of figureSweeps) await sweepAll(context(), sweep);
  const all = { from: now - 300 * dayMs, to: now + dayMs };
  expect(await totalOf("minute", all)).toMatchObject({ runs: 1 });
  expect(await totalOf("hour", all)).toMatchObject({ runs: 2 });
  expect(await totalOf("day", all)).toMatchObject({ runs: 3 });
  const { rows } = await database.pool.query(
    "select distinct model from figure_series where account_id = $1 and set = 'model'",
    [accountId],
  );
  expect(rows).toEqual([{ model: "m" }]);
});

it("the database sums times exactly as this process does", async () => {
  const { rows } = await database.pool.query(
    "select figure_times_sum('{}', '{}') as none, figure_times_sum('{7,2,300,1}', '{300,4,9,1}') as some, figure_times_sum('{1,2147483647}', '{1,5}') as full",
  );
  expect(rows[0]).toEqual({ none: [], some: [7, 2, 9, 1, 300, 5], full: [1, 2147483647] });
  const of: Measured = "first";
  expect(percentiles(new Map([[256, 1]]), of, [1])).toEqual([1]);
});
