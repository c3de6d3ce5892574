import { eq } from "drizzle-orm";
import OpenAI from "openai";
import { validateWebhook } from "replicate";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { auditLogs } from "#gateway/database/schema.ts";
import { isDone, type Scene, startScene } from "../testing/scene.ts";

let scene: Scene;
beforeAll(async () => {
  // Slow enough to change an endpoint between two attempts.
  scene = await startScene({ backoffBaseMs: 500 });
});
afterAll(() => scene.close());

const path = (endpoint: Endpoint, verb = "") => `/webhooks/endpoints/${endpoint.id}${verb}`;

describe("create", () => {
  test("answers 201 with the secret, a location and no-store; afterwards only the hint is readable", async () => {
    const url = `${scene.receiver.url}/created`;
    const created = await scene.call("POST", "/webhooks/endpoints", { url, description: "mine" });
    const endpoint = created.body as unknown as EndpointWithSecret;
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({ location: `/v1${path(endpoint)}`, "cache-control": "no-store" });
    expect(endpoint).toMatchObject({
      object: "webhook.endpoint",
      url,
      description: "mine",
      status: "enabled",
      events: ["prediction.succeeded", "prediction.failed", "prediction.canceled"],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = endpoint;
    const { body } = await scene.call("GET", path(endpoint));
    expect(body).toMatchObject({ ...rest, secret_hint: secret.slice(-4) });
    expect(JSON.stringify(body)).not.toContain(secret);
    await scene.call("DELETE", path(endpoint));
  });

  test.each([
    "http://example.com/",
    "https://localhost/",
    "https://169.254.169.254/",
    "https://[::1]/",
    "https://10.0.0.1/",
    "https://user:pass@example.com/",
    "https://example.com:22/",
  ])("refuses %s and says what to do", async (url) => {
    const { status, body } = await scene.call("POST", "/webhooks/endpoints", { url });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "invalid_webhook_url", param: "url" });
  });

  test.each([
    ["http://localhost:8080/hook", /gatehouse listen/],
    ["https://localhost/hook", /gatehouse listen/],
    ["https://169.254.169.254/hook", /points to 169\.254\.169\.254.*Use a public HTTPS address/],
  ])("names what to use instead of %s", async (url, advice) => {
    const { body } = await scene.call("POST", "/webhooks/endpoints", { url });
    expect(body.error).toMatchObject({ message: expect.stringMatching(advice) });
  });

  test("refuses an unknown event type", async () => {
    const { status } = await scene.call("POST", "/webhooks/endpoints", {
      url: "https://example.com/",
      events: ["prediction.started"],
    });
    expect(status).toBe(400);
  });

  test("needs a key with the scope", async () => {
    expect((await scene.api.call(null, "GET", "/webhooks/endpoints")).status).toBe(401);
  });
});

test("the guard stands at update, too", async () => {
  const endpoint = await scene.createEndpoint();
  const { status, body } = await scene.call("PATCH", path(endpoint), { url: "https://192.168.0.1/" });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "invalid_webhook_url" });
  await scene.call("DELETE", path(endpoint));
});

test("another account's endpoint is not found by any verb", async () => {
  const endpoint = await scene.createEndpoint();
  const stranger = await scene.api.createAccount();
  for (const [method, verb, body] of [
    ["GET", ""],
    ["PATCH", "", { description: "x" }],
    ["DELETE", ""],
    ["POST", "/rotate_secret", {}],
    ["POST", "/test"],
  ] as const) {
    const answer = await scene.api.call(stranger.key, method, path(endpoint, verb), body);
    expect(answer.status, `${method} ${verb}`).toBe(404);
  }
  const { body } = await scene.api.call(stranger.key, "GET", "/webhooks/endpoints");
  expect(body.data).toEqual([]);
  await scene.call("DELETE", path(endpoint));
});

test("an endpoint gets only the events that it subscribes to", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/failures`, {
    events: ["prediction.failed"],
  });
  const succeeded = await scene.emit("prediction.succeeded");
  const failed = await scene.emit("prediction.failed");
  expect([succeeded.deliveries, failed.deliveries]).toEqual([0, 1]);
  await scene.call("DELETE", path(endpoint));
});

test("a disabled endpoint's deliveries wait and go out when it is enabled; new events pass it by", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/paused`);
  scene.receiver.answer((_one, response) => response.writeHead(500).end());
  const event = await scene.emit();
  await scene.deliveryWhen({ event_id: event.id }, (one) => one.attempts >= 1);
  const disabled = await scene.call("PATCH", path(endpoint), { status: "disabled" });
  expect(disabled.body).toMatchObject({ status: "disabled", disabled_reason: "manual" });
  const waiting = await scene.deliveryWhen({ event_id: event.id }, () => true);
  expect(waiting).toMatchObject({ status: "failed", next_attempt_at: null });
  expect((await scene.emit()).deliveries).toBe(0);
  const retry = await scene.call("POST", `/webhooks/deliveries/${waiting.id}/retry`);
  expect(retry.body.error).toMatchObject({ code: "endpoint_disabled" });
  expect((await scene.call("POST", path(endpoint, "/test"))).status).toBe(409);
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  await scene.call("PATCH", path(endpoint), { status: "enabled" });
  expect(await scene.deliveryWhen({ event_id: event.id }, isDone)).toMatchObject({ status: "delivered" });
  await scene.call("DELETE", path(endpoint));
});

test("deleting cancels what waited, keeps the log, and a second time is 404", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/deleted`);
  scene.receiver.answer((_one, response) => response.writeHead(500, { "retry-after": "9" }).end());
  const event = await scene.emit();
  await scene.deliveryWhen({ event_id: event.id }, (one) => one.attempts >= 1);
  const { status, body } = await scene.call("DELETE", path(endpoint));
  expect([status, body]).toEqual([200, { id: endpoint.id, object: "webhook.endpoint", deleted: true }]);
  const delivery = await scene.deliveryWhen({ event_id: event.id }, () => true);
  expect(delivery).toMatchObject({ status: "canceled", next_attempt_at: null });
  expect((await scene.call("DELETE", path(endpoint))).status).toBe(404);
  const retry = await scene.call("POST", `/webhooks/deliveries/${delivery.id}/retry`);
  expect(retry.body.error).toMatchObject({ code: "delivery_not_retryable" });
});

test("a test event arrives, and health counts it", async () => {
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/tested`);
  const { status, body } = await scene.call("POST", path(endpoint, "/test"));
  expect([status, body.trigger, body.event_type]).toEqual([202, "test", "endpoint.test"]);
  const received = await scene.receiver.next((one) => one.path === "/tested");
  expect(JSON.parse(received.body)).toMatchObject({
    type: "endpoint.test",
    data: { object: { id: endpoint.id } },
  });
  await scene.deliveryWhen({ endpoint_id: endpoint.id }, isDone);
  const { body: shown } = await scene.call("GET", path(endpoint));
  const { health } = shown as unknown as Endpoint;
  expect(health).toMatchObject({ deliveries_24h: 1, success_rate_24h: 1, consecutive_failures: 0 });
  expect(health?.hourly).toHaveLength(24);
  expect(health?.hourly.at(-1)).toMatchObject({ delivered: 1, failed: 0 });
  expect(health?.last_success_at).not.toBeNull();
  await scene.call("DELETE", path(endpoint));
});

test("unmodified peers verify a delivery with the old and the new secret during a rotation", async () => {
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/rotated`);
  const rotated = await scene.call("POST", path(endpoint, "/rotate_secret"), { overlap_seconds: 60 });
  const fresh = rotated.body as unknown as EndpointWithSecret;
  expect(fresh.secret).not.toBe(endpoint.secret);
  expect(Date.parse(fresh.previous_secret_expires_at ?? "")).toBeGreaterThan(Date.now());
  await scene.emit();
  const { body, headers } = await scene.receiver.next((one) => one.path === "/rotated");
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const signature = String(headers["x-svc-signature"]);
  expect(signature.match(/v1=/g)).toHaveLength(2);
  for (const { secret } of [endpoint, fresh]) {
    expect(new Stripe("sk_test").webhooks.constructEvent(body, signature, secret).type).toBe(
      "prediction.succeeded",
    );
    expect(new Webhook(secret).verify(body, plain)).toMatchObject({ object: "event" });
    const openai = new OpenAI({ apiKey: "none" });
    expect(await openai.webhooks.unwrap(body, plain, secret)).toMatchObject({ object: "event" });
    expect(
      await validateWebhook(
        new Request("https://x.example/", { method: "POST", body, headers: plain }),
        secret,
      ),
    ).toBe(true);
  }
  expect(() => new Stripe("sk_test").webhooks.constructEvent(body, signature, "whsec_other")).toThrow();
  const again = await scene.call("POST", path(endpoint, "/rotate_secret"), { overlap_seconds: 0 });
  expect(again.body.previous_secret_expires_at).toBeNull();
  await scene.call("DELETE", path(endpoint));
});

test("no secret is in an answer, a log line or the database", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/quiet`);
  const event = await scene.emit();
  await scene.deliveryWhen({ event_id: event.id, endpoint_id: endpoint.id }, isDone);
  const answers = await Promise.all([
    scene.call("GET", "/webhooks/endpoints"),
    scene.call("GET", path(endpoint)),
    scene.call("PATCH", path(endpoint), { description: "x" }),
    scene.call("GET", "/webhooks/deliveries"),
    scene.deliveryWhen({ endpoint_id: endpoint.id }, () => true),
  ]);
  const bare = endpoint.secret.slice("whsec_".length);
  expect(JSON.stringify(answers)).not.toContain(bare);
  expect(scene.api.logLines.join("\n")).not.toContain(bare);
  const { pool } = scene.context.database;
  const tables = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`select t::text as row from "${name}" t`);
    const text = JSON.stringify(rows);
    expect(text, name).not.toContain(bare);
    expect(text, name).not.toContain(Buffer.from(endpoint.secret).toString("hex"));
  }
  await scene.call("DELETE", path(endpoint));
});

test("every change is in the audit log, none of them with a secret", async () => {
  const endpoint = await scene.createEndpoint();
  await scene.call("PATCH", path(endpoint), { description: "new" });
  await scene.call("POST", path(endpoint, "/rotate_secret"), {});
  await scene.call("POST", path(endpoint, "/test"));
  await scene.call("DELETE", path(endpoint));
  const rows = await scene.context.database.queries
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.targetId, endpoint.id));
  expect(rows.map((row) => row.action).sort()).toEqual([
    "webhook_endpoint.created",
    "webhook_endpoint.deleted",
    "webhook_endpoint.secret_rotated",
    "webhook_endpoint.tested",
    "webhook_endpoint.updated",
  ]);
  expect(JSON.stringify(rows)).not.toContain(endpoint.secret);
});
