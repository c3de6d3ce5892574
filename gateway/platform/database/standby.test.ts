import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newSessionToken } from "#gateway/access/accounts/keys/format.ts";
import { openDistricts } from "#gateway/districts.ts";
import { call } from "#gateway/testing/gateway.ts";
import { buildServer } from "../../server.ts";
import { testConfig } from "../../testing/config.ts";
import { type OwnServer, startOwnServer } from "../../testing/own-server.ts";
import { isDatabaseUnavailable } from "./failed-query.ts";
import { migrateDatabase } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { BoundedPool } from "./prepared.ts";

const log = pino({ level: "silent" });
let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.remove());

it("while its server is a stand-by the gateway reports that and serves nothing from it, and continues when the server is promoted", async () => {
  const config = testConfig({ databaseUrl: server.url });
  const database = await openDatabase(config, log);
  const districts = await openDistricts({ config, log, database, telemetry: null });
  const app = await buildServer(districts);
  app.joinLoadBalancers();
  const url = `${await app.listen({ port: 0, host: "127.0.0.1" })}/v1`;
  const readiness = async () => (await fetch(new URL("/readyz", url))).status;
  const ask = () =>
    call({ url }, null, "POST", "/account/sessions", { email: "a@example.com", password: "wrong-password" });
  expect([await readiness(), (await ask()).status]).toEqual([200, 401]);
  await server.demote();
  const refused = await ask();
  expect([await readiness(), refused.status]).toEqual([503, 503]);
  expect(refused.body.error).toMatchObject({ code: "service_unavailable" });
  expect(refused.headers.get("retry-after")).toBe("2");
  // A starting process waits for the stand-by, and then reports its state.
  const connection = { connectionString: server.url };
  await expect(migrateDatabase(connection, log, { standbyWaitMs: 10 })).rejects.toThrow("it is a stand-by");
  const starting = migrateDatabase(connection, log);
  await server.promote();
  await starting;
  await expect.poll(readiness).toBe(200);
  expect((await ask()).status).toBe(401);
  await app.close();
  await districts.close();
});

it("while its server is stopped the gateway answers 503 that names the cause and since when, also to operators", async () => {
  const config = testConfig({ databaseUrl: server.url });
  const database = await openDatabase(config, log);
  const districts = await openDistricts({ config, log, database, telemetry: null });
  const app = await buildServer(districts);
  const url = `${await app.listen({ port: 0, host: "127.0.0.1" })}/v1`;
  const bearer = newSessionToken();
  const stoppedAt = Date.now();
  await server.stop();
  const ask = async () => {
    const { status, body } = await call({ url }, bearer, "GET", "/operator/health");
    const { code, message } = body.error as { code: string; message: string };
    return { status, code, since: / database is unavailable \(since (\S+Z)\)\. /.exec(message)?.[1] };
  };
  await expect
    .poll(ask)
    .toMatchObject({ status: 503, code: "service_unavailable", since: expect.any(String) });
  // The same time at every request: the last answer of the server before it stopped.
  const { since } = await ask();
  expect(Math.abs(Date.parse(since ?? "") - stoppedAt)).toBeLessThan(60_000);
  expect((await ask()).since).toBe(since);
  await server.start();
  await expect.poll(async () => (await call({ url }, bearer, "GET", "/operator/health")).status).toBe(401);
  await app.close();
  await districts.close();
});

it("a query is rejected at once, to be retried, if too many others wait before it", async () => {
  const pool = new BoundedPool({ connectionString: server.url, max: 1, maxWaiting: 1 });
  pool.on("error", () => {});
  const client = await pool.connect();
  const waiting = pool.query("select 1");
  const refused = await pool.query("select 2").catch((error: unknown) => error);
  expect(isDatabaseUnavailable(refused)).toBe(true);
  client.release();
  expect((await waiting).rowCount).toBe(1);
  await pool.end();
});
