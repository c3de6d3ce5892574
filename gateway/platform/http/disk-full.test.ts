import { expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** Makes inserts into either table fail with PostgreSQL's error for a full disk. */
const fill = `
  create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert on api_keys for each row execute function no_room();
  create trigger no_room before insert on notice_causes for each row execute function no_room()`;
const makeRoom = `
  create or replace function no_room() returns trigger language plpgsql as $$ begin return new; end $$`;

const ready = async () => {
  const answer = await fetch(gateway.url.replace("/v1", "/readyz"));
  return [answer.status, ((await answer.json()) as { status: string }).status];
};
const createKey = () => call(gateway, account.session, "POST", "/keys", { name: "more" });
const fullSince = async () =>
  (await call(gateway, account.session, "GET", "/operator/health")).body.database_full_since;

it("with a full database disk the gateway is not ready and says why, and is ready again when a write succeeds", async () => {
  const { pool } = gateway.context.database;
  await expect.poll(ready).toEqual([200, "ok"]);
  await pool.query(fill);
  const refused = await createKey();
  expect(refused).toMatchObject({
    status: 503,
    body: { error: { code: "service_unavailable", message: expect.stringMatching(/disk .* is full/) } },
  });
  expect(await ready()).toEqual([503, "database disk full"]);
  expect(await fullSince()).toEqual(expect.any(String));
  expect(gateway.logLines.join("")).toContain("No space left on device");
  // Free space is not enough: a write has to succeed first. Here it waits for a lock.
  const client = await pool.connect();
  await client.query("begin; lock table notice_causes in exclusive mode");
  await pool.query(makeRoom);
  expect(await ready()).toEqual([503, "database disk full"]);
  await client.query("commit");
  client.release();
  await vi.waitFor(async () => expect(await ready()).toEqual([200, "ok"]), { interval: 100 });
  expect((await createKey()).status).toBe(201);
  expect(await fullSince()).toBeNull();
});
