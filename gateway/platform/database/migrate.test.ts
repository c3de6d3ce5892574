import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { drizzle, migrate as migrateWithDrizzle } from "./drizzle.ts";
import { migrateDatabase, pendingMigrations } from "./migrate.ts";
import {
  connectTo,
  emptyDatabase,
  migrationsOfReleaseBefore,
  ownMigrations,
  readJournal,
} from "./testing/release-before.ts";

/** A migrations folder with these files. */
function folderOf(files: Record<string, string>): string {
  const folder = newFolder("migrations");
  mkdirSync(path.join(folder, "meta"));
  const entries = Object.keys(files).map((tag, idx) => ({
    idx,
    version: "7",
    when: 1_000 + idx,
    tag,
    breakpoints: true,
  }));
  writeFileSync(path.join(folder, "meta", "_journal.json"), JSON.stringify({ entries }));
  for (const [tag, text] of Object.entries(files)) writeFileSync(path.join(folder, `${tag}.sql`), text);
  return folder;
}

function captureLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

const quick = { lockTimeoutMs: 50, retryMinMs: 20, retryMaxMs: 50, lookEveryMs: 10 };
const silent = pino({ level: "silent" });
const named = async (client: pg.Client, name: string) =>
  (await client.query("select to_regclass($1) is not null as there", [name])).rows[0].there;

it("continues where the migrator of the previous release stopped", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  const before = migrationsOfReleaseBefore();
  await migrateWithDrizzle(drizzle(client), { migrationsFolder: before });
  await client.query("insert into accounts (id, name) values ('acct_1', 'Kept')");
  await client.query(
    "insert into usage_daily (account_id, day, model, unit, quantity) values ('acct_1', '2026-11-01', 'm', 'second', 0.1)",
  );
  await client.query(
    `insert into predictions (id, account_id, model, api_type, svc_region, deadline_at, media, outputs)
     select 'pred_' || i, 'acct_1', 'm', 'video-generation', 'eu', now(), '[{"sizeBytes": 5}]', o::jsonb
     from (values (1, null), (2, '[{"sizeBytes": 70}, {"sizeBytes": 600}]')) as p (i, o)`,
  );
  await migrateDatabase(connection, silent);
  const history = await client.query(
    "select created_at::float8 as applied from drizzle.__drizzle_migrations order by 1",
  );
  expect(history.rows.map(({ applied }) => applied)).toEqual(
    readJournal(ownMigrations).entries.map(({ when }) => when),
  );
  expect((await client.query("select quantity::text from usage_daily")).rows).toEqual([{ quantity: "0.1" }]);
  const held = async () => (await client.query("select bytes::int from account_storage")).rows;
  expect(await held()).toEqual([{ bytes: 680 }]);
  await client.query("update predictions set outputs = null, media = '[]' where id = 'pred_2'");
  expect(await held()).toEqual([{ bytes: 5 }]);
  const kept = await client.query("select history_days, audit_days from installation");
  expect(kept.rows).toEqual([{ history_days: null, audit_days: null }]);
  // When the previous release starts again, it finds nothing to do.
  await migrateWithDrizzle(drizzle(client), { migrationsFolder: before });
  expect((await client.query("select name from accounts")).rows).toEqual([{ name: "Kept" }]);
});

it("keeps the applied files when a later one fails, and continues with that one", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  const files = {
    "0000_good": "create table good (n int)",
    "0001_bad": "create table half (n int);\n--> statement-breakpoint\nselect * from nowhere",
  };
  await expect(migrateDatabase(connection, silent, { folder: folderOf(files) })).rejects.toThrow(
    'the database cannot be brought up to this release: relation "nowhere" does not exist',
  );
  expect(await named(client, "good")).toBe(true);
  expect(await named(client, "half")).toBe(false);
  const fixed = folderOf({ ...files, "0001_bad": "create table half (n int)" });
  await migrateDatabase(connection, silent, { folder: fixed });
  expect(await named(client, "half")).toBe(true);
});

it("migrates once when several processes start together", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  const folder = folderOf({
    "0000_slow": "create table counted (n int);\n--> statement-breakpoint\nselect pg_sleep(0.2)",
    "0001_count":
      "-- gatehouse: no transaction\ninsert into counted values (1);\n--> statement-breakpoint\ncreate index concurrently counted_n on counted (n)",
  });
  const { log, lines } = captureLog();
  await Promise.all(
    Array.from({ length: 4 }, () => migrateDatabase(connection, log, { folder, limits: quick })),
  );
  expect((await client.query("select * from counted")).rows).toEqual([{ n: 1 }]);
  expect(lines.filter(({ msg }) => msg === "migration applied")).toHaveLength(2);
});

it("builds an index concurrently, also after a killed process left an invalid one", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  const create = "create unique index concurrently if not exists things_n on things (n)";
  await client.query("create table things (n int); insert into things values (1), (1)");
  await client.query(create).catch(() => {}); // Leaves an invalid index.
  await client.query("delete from things; insert into things values (1)");
  const folder = folderOf({ "0000_index": `-- gatehouse: no transaction\n${create}` });
  await migrateDatabase(connection, silent, { folder });
  const { rows } = await client.query(
    "select indisvalid from pg_index where indexrelid = 'things_n'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it("waits only briefly for a lock and retries until it gets it", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  await client.query("create table busy (n int)");
  await client.query("begin; select * from busy; lock table busy in row exclusive mode");
  const folder = folderOf({
    "0000_alter": "create table first (n int);\n--> statement-breakpoint\nalter table busy add column m int",
  });
  const { log, lines } = captureLog();
  const migrating = migrateDatabase(connection, log, { folder, limits: quick });
  await vi.waitFor(() => expect(lines.filter(({ attempt }) => attempt === 2)).toHaveLength(1));
  const waiting = await connectTo(connection);
  // The migration blocks other work on the table no longer than one lock time-out.
  await waiting.query("set lock_timeout = '5s'; select * from busy");
  await client.query("commit");
  await migrating;
  await client.query("select m from busy, first");
});

it("gives up after the last attempt, with nothing changed", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  await client.query("create table busy (n int)");
  await client.query("begin; lock table busy in row exclusive mode");
  const folder = folderOf({
    "0000_alter": "create table first (n int);\n--> statement-breakpoint\nalter table busy add column m int",
  });
  const limits = { ...quick, lockAttempts: 2 };
  await expect(migrateDatabase(connection, silent, { folder, limits })).rejects.toThrow(
    "0000_alter did not get its locks in 2 attempts",
  );
  expect(await named(client, "first")).toBe(false);
});

it("fills a column in batches and reports its progress", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  await client.query("create table wide (id text primary key, n int)");
  await client.query("insert into wide select lpad(i::text, 4, '0'), null from generate_series(1, 95) i");
  const folder = folderOf({
    "0000_fill": `-- gatehouse: no transaction
-- gatehouse: repeat
with batch as (select id from wide where id > $1 order by id limit 10),
     filled as (update wide set n = 1 from batch where wide.id = batch.id)
select max(id) as cursor, count(*) as rows from batch
--> statement-breakpoint
-- gatehouse: repeat
delete from wide where id in (select id from wide where id > '0090' limit 2)`,
  });
  const { log, lines } = captureLog();
  await migrateDatabase(connection, log, { folder, limits: { progressEveryMs: 0 } });
  expect((await client.query("select count(*)::int, sum(n)::int from wide")).rows).toEqual([
    { count: 90, sum: 90 },
  ]);
  expect(lines.map(({ step, rows }) => [step, rows])).toEqual(
    expect.arrayContaining([
      [1, 10],
      [1, 95],
      [2, 4],
      [2, 5],
    ]),
  );
});

it("refuses a schema that a later release made unreadable for this release, and no other schema", async () => {
  const connection = await emptyDatabase();
  const first = { "0000_first": "create table things (old int, new int)" };
  const second = { ...first, "0001_added": "alter table things add column more int" };
  const third = {
    ...second,
    "0002_dropped": "-- gatehouse: readers need 0001_added\nalter table things drop column old",
  };
  await migrateDatabase(connection, silent, { folder: folderOf(second) });
  expect(await migrateDatabase(connection, silent, { folder: folderOf(first) })).toEqual([]);
  expect(await pendingMigrations(connection, silent, { folder: folderOf(third) })).toEqual(["0002_dropped"]);
  expect(await migrateDatabase(connection, silent, { folder: folderOf(third) })).toEqual(["0002_dropped"]);
  expect(await migrateDatabase(connection, silent, { folder: folderOf(second) })).toEqual([]);
  await expect(migrateDatabase(connection, silent, { folder: folderOf(first) })).rejects.toThrow(
    "its schema is newer than this release can read: it needs a release with 0001_added, and this one ends at 0000_first",
  );
});

it("waits for a server that accepts no writes, and then reports why", async () => {
  const connection = await emptyDatabase();
  const client = await connectTo(connection);
  const accept = (writes: boolean) =>
    client.query(`alter database ${connection.database} set default_transaction_read_only = ${!writes}`);
  await accept(false);
  const { log, lines } = captureLog();
  const folder = folderOf({ "0000_first": "create table things (n int)" });
  await expect(migrateDatabase(connection, log, { folder, standbyWaitMs: 20 })).rejects.toThrow(
    "it accepts no writes (default_transaction_read_only), and did not become a primary",
  );
  lines.length = 0;
  const migrating = migrateDatabase(connection, log, { folder });
  await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000);
  await client.query("set default_transaction_read_only = off");
  await accept(true);
  expect(await migrating).toEqual(["0000_first"]);
});

it.each([
  ["-- gatehouse: readers need 0007_unknown\nselect 1", "there is no such migration"],
  ["-- gatehouse: no transactoin\nselect 1", 'unknown directive "-- gatehouse: no transactoin"'],
  ["-- gatehouse: repeat\ndelete from t", "can repeat a step"],
])("refuses a file that it does not understand: %j", async (text, message) => {
  const connection = await emptyDatabase();
  await expect(
    migrateDatabase(connection, silent, { folder: folderOf({ "0000_wrong": text }) }),
  ).rejects.toThrow(message);
});
