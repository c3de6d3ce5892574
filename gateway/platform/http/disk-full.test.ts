import { expect, it, vi } from "vitest";
import { counters } from "#gateway/platform/core/counters.ts";
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
const health = async () => (await call(gateway, account.session, "GET", "/operator/health")).body;
const fullSince = async () => (await health()).database_full_since;
const chat = async () => {
  const messages = [{ role: "user", content: "Is there room?" }];
  const { status, body } = await call(gateway, account.key, "POST", "/chat/completions", {
    ...{ model: "svc/chat-1", messages },
  });
  expect(status).toBe(200);
  return String(body.id);
};
const keptChats = async () =>
  ((await call(gateway, account.session, "GET", "/contents")).body.data as { id: string }[]).map(
    ({ id }) => id,
  );
const dropped = () =>
  counters.contents.values().find(({ labels }) => labels.result === "dropped")?.value ?? 0;

it("with a full database disk the gateway is not ready and says why, keeps no contents of calls, and is ready again when a write succeeds", async () => {
  const { pool } = gateway.context.database;
  await call(gateway, account.session, "PATCH", "/account", { contents: { keep: "all" } });
  const before = await chat();
  expect(await keptChats()).toEqual([before]);
  const droppedBefore = dropped();
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
  // Contents could still be written here, and would take the last room from calls.
  await chat();
  expect(await keptChats()).toEqual([before]);
  expect(dropped()).toBe(droppedBefore + 1);
  expect((await health()).contents_failing_since).toEqual(expect.any(String));
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
  const after = await chat();
  expect(await keptChats()).toEqual([after, before]);
  expect((await health()).contents_failing_since).toBeNull();
});
