import { once } from "node:events";
import type { ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import { credentialHash, newAccountKey } from "#gateway/access/accounts/keys/format.ts";
import { readEvents } from "#gateway/edges/cli/listen.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, webhookEvents } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";
import { installListen } from "./stream.ts";

const quick = { stalledMs: 2_000, databaseMs: 2_000 };
const patient = { ...quick, stalledMs: 10_000 };
const kilobytes = 20;

let origin: string;

const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  const { app } = scene.api;
  for (const [prefix, limits] of Object.entries({ "/quick": quick, "/patient": patient }))
    await app.register(async (scope) => installListen(scope as App, scene.context, limits), { prefix });
  origin = await app.listen({ port: 0, host: "127.0.0.1" });
});

function open(key: string, lastId?: string, prefix = "/v1"): Promise<Response> {
  return fetch(`${origin}${prefix}/webhooks/listen`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId && { "last-event-id": lastId }) },
  });
}

/** Reads a stream's ids until the check passes or the stream ends. */
async function idsOf(stream: Response, check: (ids: string[]) => boolean): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of readEvents(stream.body as AsyncIterable<Uint8Array>)) {
    ids.push(id ?? "");
    if (check(ids)) break;
  }
  return ids;
}

/** Inserts events of 20 kB each. */
async function insertEvents(accountId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const body = JSON.stringify({ filler: "x".repeat(kilobytes * 1000) });
  for (let left = count; left > 0; left -= 100) {
    const rows = Array.from({ length: Math.min(100, left) }, () => ({
      id: newId("event"),
      accountId,
      type: "prediction.succeeded",
      body,
      payloadExpiresAt: new Date(Date.now() + 86_400_000),
    }));
    await scene.context.database.queries.insert(webhookEvents).values(rows);
    ids.push(...rows.map((row) => row.id));
  }
  return ids.sort();
}

/** A client that reads nothing, and the server's side of its connection. */
async function openAndStall(key: string, prefix: string, lastId: string) {
  const socket = net.connect(Number(new URL(origin).port), "127.0.0.1");
  socket.pause();
  socket.on("error", () => {});
  const asked = once(scene.api.app.server, "request");
  socket.write(
    `GET ${prefix}/webhooks/listen HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\nlast-event-id: ${lastId}\r\n\r\n`,
  );
  const [, answer] = await asked;
  return { socket, answer: answer as ServerResponse };
}

test("events that a client does not read stay in the database, and its stream ends", async () => {
  const account = await scene.api.createAccount();
  const before = newId("event");
  await insertEvents(account.accountId, 1000);
  const { socket, answer } = await openAndStall(account.key, "/quick", before);
  let maxBuffered = 0;
  const measure = setInterval(() => {
    maxBuffered = Math.max(maxBuffered, answer.writableLength);
  }, 10);
  await once(answer, "close");
  clearInterval(measure);
  expect(maxBuffered).toBeGreaterThan(0);
  expect(maxBuffered).toBeLessThan(500_000);
  socket.destroy();
});

test("a client that pauses for less than the limit gets everything once and in order", async () => {
  const account = await scene.api.createAccount();
  const before = newId("event");
  const ids = await insertEvents(account.accountId, 500);
  const stream = await open(account.key, before, "/patient");
  await sleep(1_000);
  expect(await idsOf(stream, (seen) => seen.length >= ids.length)).toEqual(ids);
});

test("starts with an id from which a later stream can continue without gaps", async () => {
  const account = await scene.api.createAccount();
  const [start = ""] = await idsOf(await open(account.key), (ids) => ids.length === 1);
  const [missed] = await insertEvents(account.accountId, 1);
  expect(await idsOf(await open(account.key, start), (ids) => ids.length === 1)).toEqual([missed]);
});

test("an event that committed after a greater one is sent by the next stream, which may repeat the last 10 s", async () => {
  const account = await scene.api.createAccount();
  const late = newId("event");
  const [seen = ""] = await insertEvents(account.accountId, 1);
  await scene.context.database.queries.insert(webhookEvents).values({
    id: late,
    accountId: account.accountId,
    type: "prediction.succeeded",
    body: "{}",
    payloadExpiresAt: new Date(Date.now() + 86_400_000),
  });
  expect(await idsOf(await open(account.key, seen), (ids) => ids.length === 2)).toEqual([late, seen]);
});

test("ends the stream of a rotated key, but not that of one in its grace period", async () => {
  const account = await scene.api.createAccount();
  const { queries } = scene.context.database;
  const rotate = (previousExpiresAt: Date) =>
    queries
      .update(apiKeys)
      .set({
        secretHash: credentialHash(newAccountKey()),
        previousSecretHash: credentialHash(account.key),
        previousExpiresAt,
      })
      .where(eq(apiKeys.accountId, account.accountId));
  const stream = await open(account.key);
  let seen: string[] = [];
  const ended = idsOf(stream, (ids) => {
    seen = [...ids];
    return false;
  });
  await rotate(new Date(Date.now() + 60_000));
  const [event] = await insertEvents(account.accountId, 1);
  await vi.waitFor(() => expect(seen).toContain(event), { interval: 20 });
  await rotate(new Date());
  await ended;
});

test("ends the stream of a key that loses the permission to listen", async () => {
  const account = await scene.api.createAccount();
  const stream = await open(account.key);
  await scene.context.database.queries
    .update(apiKeys)
    .set({ scopes: ["predictions"] })
    .where(eq(apiKeys.accountId, account.accountId));
  await idsOf(stream, () => false);
});

test.each([`evt_${"z".repeat(26)}`, `evt_8${"0".repeat(25)}`, "evt_1", newId("key")])(
  "refuses to continue after %s",
  async (lastId) => {
    const answer = await open(scene.account.key, lastId);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid_cursor", param: "Last-Event-ID" } });
  },
);

test.each(["0", "7"])("continues after the id of the digit %s", async (digit) => {
  const account = await scene.api.createAccount();
  const [id] = await insertEvents(account.accountId, 1);
  const stream = await open(account.key, `evt_${digit === "0" ? "0".repeat(26) : `7${"z".repeat(25)}`}`);
  expect(stream.status).toBe(200);
  if (digit === "0") expect(await idsOf(stream, (ids) => ids.length === 1)).toEqual([id]);
  else await stream.body?.cancel();
});

test("answers 503 while the database is down, and forgets a client that has disconnected", async () => {
  const { database } = scene.context;
  const { listen } = database;
  const comeBack: (() => void)[] = [];
  let stopped = 0;
  database.listen = () =>
    new Promise((resolve) => {
      const stop = () => {
        stopped += 1;
      };
      comeBack.push(() => resolve(stop));
    });
  try {
    const answer = await open(scene.account.key, undefined, "/quick");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "service_unavailable" } });
    const { socket, answer: stalled } = await openAndStall(scene.account.key, "/v1", newId("event"));
    await expect.poll(() => comeBack.length).toBe(2);
    const gone = once(stalled, "close");
    socket.destroy();
    await gone;
    for (const back of comeBack) back();
    await expect.poll(() => stopped).toBe(2);
  } finally {
    database.listen = listen;
  }
});
