import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Context } from "#gateway/districts.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import type { Database } from "./database.ts";
import {
  agedPartitionSweep,
  attemptDays,
  firstKeyAt,
  makePartitions,
  readPartitions,
  usageLineDays as table,
} from "./partitions.ts";

const dayMs = 86_400_000;
const kept = 7;
const sweep = agedPartitionSweep({ kind: "lines", table, at: "day::timestamptz", days: () => kept });

let database: Database;
let startMs: number;
beforeEach(async () => {
  database = await createTestDatabase();
  startMs = Date.now();
  vi.useFakeTimers({ now: startMs, toFake: ["Date"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const inDays = (days: number) => vi.setSystemTime(startMs + days * dayMs);
/** Writes a line dated this many days after the start. */
const write = (days: number) =>
  database.pool.query(
    `insert into usage_lines (run, kind, run_prefix, unit, quantity, account_id, model, provider, region, day)
     values ($1, 'token', 'gen', 'token', 1, 'acct', 'm', 'p', 'r', '2026-01-01')`,
    [firstKeyAt(table, startMs + days * dayMs)],
  );
const lines = async () => (await database.pool.query("select from usage_lines")).rowCount;
const partitions = () => readPartitions(database.queries, table);
const sweepLines = () => sweepAll({ database } as Context, sweep);

it("has a partition for every day of the next two weeks, whichever process creates them, and after a long pause", async () => {
  await makePartitions(database);
  expect(await partitions()).toMatchObject([{ isFirst: true }]);
  for (const day of [20, 30, 200]) {
    inDays(day);
    await Promise.all([makePartitions(database), makePartitions(database)]);
    for (const ahead of [0, 1, 14]) await write(day + ahead);
    await expect(write(day + 16)).rejects.toThrow('no partition of relation "usage_lines"');
  }
  // The pause becomes one partition instead of hundreds.
  expect((await partitions()).length).toBeLessThan(35);
  expect(await lines()).toBe(9);
});

it("old rows of the first partition are deleted, old days dropped", async () => {
  for (const day of [-20, -8, -6, 0]) await write(day);
  await sweepLines();
  expect(await lines()).toBe(2);
  inDays(30);
  await makePartitions(database);
  for (const day of [32, 33, 34]) await write(day);
  inDays(40);
  const reader = await database.pool.connect();
  await reader.query("begin; select from usage_lines");
  await sweepLines();
  // While a backup reads the table its days stay, and no statement is blocked.
  expect((await partitions())[0]?.isFirst).toBe(true);
  await reader.query("commit");
  reader.release();
  await sweepLines();
  expect((await partitions())[0]?.isFirst).toBe(false);
  expect(await lines()).toBe(2);
  // After a long pause the sweep may run first; the days continue where they ended.
  inDays(300);
  await sweepLines();
  await makePartitions(database);
  await write(300);
  expect(await lines()).toBe(1);
});

it("the previous release recognises a repeated batch by the name of its key, for a month", async () => {
  for (const days of [-100, 0, 30]) {
    const id = firstKeyAt(attemptDays, startMs + days * dayMs);
    const attempt = () =>
      database.pool.query(
        `insert into webhook_attempts (id, delivery_id, endpoint_id, number, succeeded, started_at, url, request_headers)
         values ('att_1', $1, 'we_1', 1, true, now(), 'https://x.example', '{}')`,
        [id],
      );
    await attempt();
    await expect(attempt()).rejects.toMatchObject({ constraint: "webhook_attempts_delivery_id_id_pk" });
  }
});
