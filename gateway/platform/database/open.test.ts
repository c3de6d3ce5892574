import { pino } from "pino";
import { expect, inject, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { connect } from "./open.ts";

it("gives each test its own migrated database", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await first.pool.query("insert into accounts (id, name) values ('acct_1', 'A')");
  const rows = async (database: typeof first) =>
    (await database.pool.query("select id from accounts")).rowCount;
  expect(await rows(first)).toBe(1);
  expect(await rows(second)).toBe(0);
  await Promise.all([first.close(), second.close()]);
});

it("gives the place of a connection that was lost as its transaction began to another", async () => {
  const database = await createTestDatabase();
  const { pool, queries } = database;
  for (const begin of [database.transaction, queries.transaction]) {
    pool.once("acquire", (client) => client.end());
    await expect(begin(async () => {})).rejects.toThrow("begin");
    expect(pool.totalCount).toBe(pool.idleCount);
  }
  await database.close();
});

it("calls a listener back with the payload of a notification", async () => {
  const database = await createTestDatabase();
  const heard = Promise.withResolvers<string>();
  await database.listen("predictions", heard.resolve);
  database.notify("predictions", "pred_1");
  expect(await heard.promise).toBe("pred_1");
  await database.close();
});

it("reports a connection that is lost, unless it closes the database itself", async () => {
  const own = await createTestDatabase();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const server = { ...inject("testServer").gateway, database: own.pool.options.database };
  const ended: Promise<unknown>[] = [];
  const lend = async () => {
    const lent = await database.openSteadyPool(1).connect();
    ended.push(new Promise((resolve) => lent.once("end", resolve)));
    return (await lent.query("select pg_backend_pid() as pid")).rows[0].pid as number;
  };
  const end = (pid: number) => own.pool.query("select pg_terminate_backend($1)", [pid]);
  const database = await connect(server, log, async () => void (await end(last)));
  await end(await lend());
  await ended.at(-1);
  expect(lines.splice(0).join()).toContain("a database connection was lost");
  const last = await lend();
  await database.close();
  await ended.at(-1);
  expect(lines).toEqual([]);
  await own.close();
});
