import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { credentialHash, newAccountKey } from "#gateway/access/accounts/keys/format.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const clients: Socket[] = [];
const gateway = shared(() => startTestGateway({ role: "api", maxConcurrency: 2, apiRequestsPerMinute: 3 }));
afterAll(async () => {
  for (const client of clients) client.destroy();
});

const body = JSON.stringify({ model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] });

test("clients that disconnect while their key is looked up free their slot", async () => {
  const { key } = await gateway.createAccount();
  const lock = await gateway.context.database.pool.connect();
  await lock.query("begin");
  await lock.query("lock table api_keys in access exclusive mode");
  const clients = await Promise.all(Array.from({ length: 4 }, () => ask(key)));
  await gatewayHasReadAll();
  for (const client of clients) client.resetAndDestroy();
  await gatewayHasReadAll();
  await lock.query("rollback");
  lock.release();
  // A key that was found may occupy its slots for a moment.
  const chat = () => call(gateway, key, "POST", "/chat/completions", JSON.parse(body));
  await vi.waitFor(async () => expect((await chat()).status).toBe(200));
});

test("operations beyond a key's concurrency are refused until one has ended", async () => {
  const { key, accountId } = await gateway.createAccount();
  const own = await gateway.createKey(accountId, { max_concurrency: 1 });
  const chat = (bearer: string) => call(gateway, bearer, "POST", "/chat/completions", JSON.parse(body));
  // A request with a half-sent body occupies a slot.
  const [first] = await Promise.all([ask(key, body.slice(0, 5)), ask(key, body.slice(0, 5))]);
  await occupied(key, 2);
  // A database that answers late counts as unavailable for a while.
  await vi.waitFor(async () => {
    const refused = await chat(key);
    expect(refused.body.error).toMatchObject({
      type: "rate_limit_error",
      code: "concurrency_limit_exceeded",
    });
    expect(refused.headers.get("retry-after")).toBe("1");
  });
  // Requests that wait for the database hold their slots, but the client is not to blame for that.
  const readiness = vi.spyOn(gateway.context.database, "isReady").mockResolvedValue(false);
  await vi.waitFor(
    async () => {
      const unavailable = await chat(key);
      expect(unavailable.body.error).toMatchObject({ code: "service_unavailable" });
      expect(unavailable.status).toBe(503);
      expect(unavailable.headers.get("retry-after")).toBe("2");
    },
    { interval: 200 },
  );
  readiness.mockRestore();
  await vi.waitFor(async () => expect((await chat(key)).status).toBe(429), { interval: 500 });
  expect(await statusOf(key)).toBe(200);
  expect((await chat(own)).status).toBe(200);
  await ask(own, body.slice(0, 5));
  await gatewayHasReadAll();
  await vi.waitFor(async () => expect((await chat(own)).status).toBe(429));
  first?.write(body.slice(5));
  await vi.waitFor(async () => expect((await chat(key)).status).toBe(200));
});

/** Waits until this many operations of a key hold a slot. */
async function occupied(key: string, places: number): Promise<void> {
  const text =
    "select from limit_slots join api_keys on subject = api_keys.id where secret_hash = $1 and held @> jsonb_build_object($3::text, $2::int)";
  const count = async () =>
    (await gateway.context.database.pool.query(text, [credentialHash(key), places, instanceId])).rowCount;
  await vi.waitFor(async () => expect(await count()).toBe(1));
}

/** Sends a chat, or only a part of its body. */
async function ask(key: string, sent = body): Promise<Socket> {
  const client = connect(gateway.context.config.port, "127.0.0.1");
  clients.push(client);
  await once(client, "connect");
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\n`;
  client.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${sent}`);
  return client;
}

/** Sends two more requests one after the other: when both are answered, earlier bytes have been read. */
async function gatewayHasReadAll(): Promise<void> {
  for (let n = 0; n < 2; n += 1) await (await fetch(new URL("/healthz", gateway.url))).text();
}

const statusOf = async (bearer: string, method = "GET", path = "/account", input?: object) =>
  (await call(gateway, bearer, method, path, input)).status;

test("a key or session with too many requests is refused, and no other", async () => {
  const { key, session, accountId } = await gateway.createAccount();
  expect(await statusOf(key)).toBe(200);
  expect(await statusOf(key, "POST", "/uploads", { content_type: "image/png", size_bytes: 5 })).toBe(201);
  expect(await statusOf(key, "GET", "/predictions/pred_1")).toBe(404);
  const refused = await call(gateway, key, "GET", "/account");
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: "rate_limit_exceeded" });
  const retryAfterSeconds = Number(refused.headers.get("retry-after"));
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(20);
  expect(await statusOf(key, "POST", "/uploads", {})).toBe(429);
  expect(await statusOf(key, "POST", "/chat/completions", JSON.parse(body))).toBe(200);
  expect(await statusOf(session)).toBe(200);
  expect(await statusOf(await gateway.createKey(accountId))).toBe(200);
});

test("an unknown key costs at most one query, and an address that sends many is refused", async () => {
  const { key, accountId } = await gateway.createAccount();
  const later = await gateway.createKey(accountId);
  expect(await statusOf(key)).toBe(200);
  const { pool } = gateway.context.database;
  const query = vi.spyOn(pool, "query");
  const lookUps = () =>
    query.mock.calls.filter(([text]) => JSON.stringify(text).includes("secret_hash")).length;
  const junk = newAccountKey();
  for (let asked = 0; asked < 5; asked += 1) expect(await statusOf(junk)).toBe(401);
  expect(await statusOf("svc_live_junk")).toBe(401);
  expect(lookUps()).toBe(1);
  const send = (bearer: () => string) =>
    Promise.all(Array.from({ length: 200 }, () => call(gateway, bearer(), "GET", "/account")));
  while ((await send(() => "svc_live_junk")).every(({ status }) => status === 401));
  expect(lookUps()).toBe(1);
  const answers = await send(newAccountKey);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused[0]?.body.error).toMatchObject({ code: "rate_limit_exceeded" });
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect(lookUps() - 1).toBe(answers.length - refused.length);
  expect(await statusOf(key)).toBe(200);
  query.mockRestore();
  // A key that is new to this process is refused, like every request from that address.
  await vi.waitFor(async () => expect(await statusOf(later)).toBe(200));
});
