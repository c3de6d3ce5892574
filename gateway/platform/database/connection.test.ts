import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { startRelay } from "../../testing/relay.ts";
import { Connection } from "./connection.ts";
import { isDatabaseUnavailable } from "./failed-query.ts";

const run = promisify(execFile);

function openPool(settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...inject("testServer").admin, Client: Connection, max: 1, ...settings });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  onTestFinished(() => pool.end());
  return pool;
}

it("answers in each of the forms that pg supports", async () => {
  const pool = openPool();
  const client = await pool.connect();
  const called = Promise.withResolvers<unknown>();
  client.query("select 1 as n", (_error: Error | null, result: pg.QueryResult) =>
    called.resolve(result.rows),
  );
  expect(await called.promise).toEqual([{ n: 1 }]);
  const sum = { name: "sum", text: "select $1::int + $2::int as n", values: [1, 2] };
  expect((await client.query(sum)).rows).toEqual([{ n: 3 }]);
  expect((await client.query(sum.text, [3, 4])).rows).toEqual([{ n: 7 }]);
  client.release();
  expect((await pool.query(sum)).rows).toEqual([{ n: 3 }]);
  expect((await pool.query("select 1 as n; select 2 as n")) as unknown).toHaveLength(2);
});

it("keeps the caller in the stack of a failed query", async () => {
  const pool = openPool();
  const client = await pool.connect();
  async function whoAsked() {
    await client.query("select nothing");
  }
  const error: Error = await whoAsked().catch((caught) => caught);
  client.release();
  expect(error.message).toContain("nothing");
  expect(error.stack).toContain("whoAsked");
});

it("aborts a query that takes too long, closes its connection, and continues on another", async () => {
  const pool = openPool({ query_timeout: 3_000 });
  const pid = async () => (await pool.query("select pg_backend_pid() as pid")).rows[0].pid;
  const first = await pid();
  await expect(pool.query("select pg_sleep(60)")).rejects.toThrow(
    "No answer from the database within 3000 ms",
  );
  expect(await pid()).not.toBe(first);
});

it("takes an answer that came in time, however late the process reads it", async () => {
  const pool = openPool({ query_timeout: 300 });
  const client = await pool.connect();
  const answer = client.query("select 1 as n");
  const until = performance.now() + 600;
  while (performance.now() < until);
  expect((await answer).rows).toEqual([{ n: 1 }]);
  client.release();
});

it("a connection that is reset while it opens, or while it is asked, is an outage of the database", async () => {
  const { host, port, ...server } = inject("testServer").admin;
  const relay = await startRelay({ host, port });
  onTestFinished(() => relay.close());
  const pool = openPool({ ...server, host: "127.0.0.1", port: relay.port });
  const errorOf = (query: string) => pool.query(query).catch((error: Error) => error);
  // The first piece of a connection opens it, and the last asks.
  const before = relay.pieces;
  await pool.query("select 1");
  const pieces = relay.pieces - before;
  for (let cutAt = 1; cutAt <= pieces; cutAt += 1) {
    await pool.query("select pg_terminate_backend(pg_backend_pid())").catch(() => {});
    relay.cutAfter(cutAt, "reset");
    const error = await errorOf("select pg_sleep(60)");
    relay.restore();
    expect([(error as Error).message, isDatabaseUnavailable(error)]).toEqual([
      expect.stringContaining("Connection terminated"),
      true,
    ]);
  }
});

it("closes a connection whose server no longer accepts writes, and the pool continues with another", async () => {
  const pool = openPool();
  const client = await pool.connect();
  const { pid } = (await client.query("select pg_backend_pid() as pid")).rows[0];
  await client.query("set default_transaction_read_only = on");
  await expect(client.query("create table t (n int)")).rejects.toMatchObject({ code: "25006" });
  client.release();
  expect((await pool.query("select pg_backend_pid() as pid")).rows[0].pid).not.toBe(pid);
});

it("keeps no memory of an answered query until the next full collection", async () => {
  // In its own process, because this one's heap contains other tests' garbage.
  const program = path.join(import.meta.dirname, "testing", "query-heap-process.ts");
  const { stdout } = await run(process.execPath, [program, JSON.stringify(inject("testServer").admin)]);
  // 160 MB were read; the driver's own connection would retain 44 to 52 MB of them.
  expect(Number(stdout)).toBeLessThan(28);
  expect(stdout).toMatch(/^\d/);
});
