import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import { eventsChannel } from "#gateway/events/webhooks/events.ts";
import { startScene } from "#gateway/events/webhooks/testing/scene.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, webhookEvents } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { listenUntil } from "./listen.ts";
import { main } from "./main.ts";

const timeoutMs = 10_000;

let gatewayUrl: string;
const received: { body: string; signature: string; eventId: string }[] = [];
const developer = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({
    body: Buffer.concat(chunks).toString(),
    signature: String(request.headers["x-svc-signature"]),
    eventId: String(request.headers["x-svc-event-id"]),
  });
  response.writeHead(202).end();
});

const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  gatewayUrl = `${await scene.api.app.listen({ port: 0, host: "127.0.0.1" })}/v1`;
  developer.listen(0, "127.0.0.1");
  await once(developer, "listening");
});
afterAll(async () => {
  developer.close();
});

const forwardTo = () => `http://127.0.0.1:${(developer.address() as AddressInfo).port}/hook`;

async function emit() {
  const event = await scene.emit();
  scene.context.database.notify(eventsChannel, scene.account.accountId);
  return event;
}

/** Commits an event whose id was created earlier. */
async function insertEvent(id: string): Promise<void> {
  await scene.context.database.queries.insert(webhookEvents).values({
    id,
    accountId: scene.account.accountId,
    type: "prediction.succeeded",
    body: "{}",
    payloadExpiresAt: new Date(Date.now() + 86_400_000),
  });
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("forwards the account's events with a signature that verifies, in order and once, and shows each answer", async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  const common = { gatewayUrl, forwardTo: forwardTo(), events: null, timeoutMs, secret: null };
  const print = (line: string) => void lines.push(line);
  const running = listenUntil(stop.signal, { ...common, key: scene.account.key, print });
  await until(() => lines.some((line) => line.startsWith("Listening")));
  const secret = /whsec_\S+/.exec(lines.join("\n"))?.[0] ?? "";
  const events = [await emit(), await emit(), await emit()];
  await until(() => received.length >= 3);
  expect(received.map((one) => one.eventId)).toEqual(events.map((event) => event.id));
  for (const { body, signature } of received)
    expect(new Stripe("sk_test").webhooks.constructEvent(body, signature, secret).type).toBe(
      "prediction.succeeded",
    );
  await until(() => lines.filter((line) => line.includes("→ 202")).length === 3);
  stop.abort();
  await running;
});

test("signs with a given secret and does not print it", async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  const secret = `whsec_${Buffer.from("a secret of the receiver").toString("base64")}`;
  const before = received.length;
  const running = listenUntil(stop.signal, {
    gatewayUrl,
    key: scene.account.key,
    forwardTo: forwardTo(),
    events: null,
    timeoutMs,
    secret,
    print: (line) => void lines.push(line),
  });
  await until(() => lines.some((line) => line.startsWith("Listening")));
  await emit();
  await until(() => received.length > before);
  const { body, signature } = received.at(-1) ?? { body: "", signature: "" };
  expect(new Stripe("sk_test").webhooks.constructEvent(body, signature, secret).type).toBe(
    "prediction.succeeded",
  );
  expect(lines.join("\n")).not.toContain(secret);
  stop.abort();
  await running;
});

test("never shows another account's events, and stops when its key is revoked", async () => {
  const stranger = await scene.api.createAccount();
  const lines: string[] = [];
  const stop = new AbortController();
  const running = listenUntil(stop.signal, {
    gatewayUrl,
    key: stranger.key,
    forwardTo: forwardTo(),
    events: null,
    timeoutMs,
    secret: "whsec_b3RoZXI=",
    print: (line) => void lines.push(line),
  });
  const ended = running.catch((error: Error) => error.message);
  await until(() => lines.some((line) => line.startsWith("Listening")));
  await emit();
  await scene.context.database.queries
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(eq(apiKeys.accountId, stranger.accountId));
  expect(await ended).toMatch(/revoked/);
  expect(lines.filter((line) => line.includes("evt_"))).toEqual([]);
});

test("a reopened stream continues after the last event", async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  const before = received.length;
  const running = listenUntil(stop.signal, {
    gatewayUrl,
    key: scene.account.key,
    forwardTo: forwardTo(),
    events: null,
    timeoutMs,
    secret: null,
    print: (line) => void lines.push(line),
  });
  const listening = (times: number) =>
    until(() => lines.filter((line) => line.startsWith("Listening")).length === times);
  const forwarded = (count: number) => until(() => received.length >= before + count);
  const loseConnection = () => scene.api.app.server.closeAllConnections();
  await listening(1);
  // Ids of one millisecond have no order, and this one must be greater than the id from which the stream starts.
  const startedAt = Date.now();
  await until(() => Date.now() > startedAt);
  const lateId = newId("event");
  loseConnection();
  const inTheGap = await emit();
  await listening(2);
  await forwarded(1);
  loseConnection();
  await insertEvent(lateId);
  await listening(3);
  await forwarded(2);
  const last = await emit();
  await forwarded(3);
  expect(received.slice(before).map((one) => one.eventId)).toEqual([inTheGap.id, lateId, last.id]);
  stop.abort();
  await running;
});

test("reports missing options before it connects", async () => {
  expect(await main(["listen"])).toBe(2);
  expect(await main(["listen", "--forward-to", "nonsense", "--key", scene.account.key])).toBe(2);
  expect(await main(["listen", "--forward-to", forwardTo(), "--key", "svc_live_short"])).toBe(2);
  const whole = ["listen", "--forward-to", forwardTo(), "--key", scene.account.key];
  expect(await main([...whole, "--events", "prediction.suceeded"])).toBe(2);
  expect(await main([...whole, "--secret", "whsec_half"])).toBe(2);
  expect(await main(["listen", "--help"])).toBe(0);
});

test("text from a gateway or server cannot control the terminal", async () => {
  const bad = "\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202e";
  let asked = 0;
  const hostile = createServer((request, response) => {
    if (request.method === "POST") {
      response.socket?.end(`HTTP/1.1 200 ${bad.replaceAll(/[^\x20-\xff]/g, "")}\u009b\r\n\r\n`, "latin1");
      return;
    }
    asked += 1;
    if (asked > 1) {
      response.writeHead(403).end(`{"error": {"message": "no ${bad}"}}`);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      `id: evt_${"0".repeat(26)}\n\nid: ${newId("event")}\nevent: prediction.${bad}succeeded\ndata: {}\n\n`,
    );
  }).listen(0, "127.0.0.1");
  await once(hostile, "listening");
  const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const running = listenUntil(new AbortController().signal, {
    gatewayUrl: url,
    key: scene.account.key,
    forwardTo: url,
    events: null,
    timeoutMs,
    secret: null,
    print: (line) => void lines.push(line),
  });
  const refusal = await running.catch((error: Error) => error.message);
  hostile.close();
  expect([lines[0], refusal]).toEqual([
    `Gateway: ${url}`,
    expect.stringContaining(`${url} answered 403: no `),
  ]);
  expect(lines.find((line) => line.includes("→"))).toContain("prediction.\\u{1b}]0;pwned\\u{7}");
  expect([...lines, refusal].join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
