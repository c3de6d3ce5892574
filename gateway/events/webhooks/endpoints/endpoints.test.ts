import { createPublicKey, verify } from "node:crypto";
import OpenAI from "openai";
import { validateWebhook } from "replicate";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { auditLogs } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import type { Received } from "#gateway/testing/receiver.ts";
import { webhookDeliverySweep, webhookPayloadSweep } from "../retention.ts";
import { isDone, startScene } from "../testing/scene.ts";

// Slow enough to change an endpoint between two attempts.
const scene = shared(() => startScene({ backoffBaseMs: 10_000 }));

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
  ])("refuses %s and explains what to do", async (url) => {
    const { status, body } = await scene.call("POST", "/webhooks/endpoints", { url });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "invalid_webhook_url", param: "url" });
  });

  test("refuses a URL of more than 2,048 characters, for a new endpoint and for a change", async () => {
    const longest = `https://example.com/${"a".repeat(2028)}`;
    const created = await scene.call("POST", "/webhooks/endpoints", { url: longest });
    expect(created.status).toBe(201);
    const endpoint = created.body as unknown as Endpoint;
    for (const [method, target] of [
      ["POST", "/webhooks/endpoints"],
      ["PATCH", path(endpoint)],
    ] as const) {
      const { status, body } = await scene.call(method, target, { url: `${longest}a` });
      expect([status, body.error]).toMatchObject([400, { code: "invalid_parameter", param: "url" }]);
    }
    await scene.call("DELETE", path(endpoint));
  });

  test.each([
    ["http://localhost:8080/hook", /gatehouse listen/],
    ["https://localhost/hook", /gatehouse listen.*Gatehouse's shape/],
    ["https://169.254.169.254/hook", /points to 169\.254\.169\.254.*Use a public HTTPS address/],
  ])("names an alternative to %s", async (url, advice) => {
    const { body } = await scene.call("POST", "/webhooks/endpoints", { url });
    expect(body.error).toMatchObject({ message: expect.stringMatching(advice) });
  });

  test("a name without a public address is saved with one warning, whatever it resolves to", async () => {
    const answers = [];
    for (const host of ["nowhere.invalid", "also-nowhere.invalid"]) {
      const { status, body } = await scene.call("POST", "/webhooks/endpoints", { url: `https://${host}/` });
      expect([status, body.warning]).toMatchObject([201, { code: "would_not_be_delivered" }]);
      answers.push(body.warning);
      const endpoint = body as unknown as Endpoint;
      expect((await scene.call("GET", path(endpoint))).body).not.toHaveProperty("warning");
      const moved = await scene.call("PATCH", path(endpoint), { url: `${scene.receiver.url}/found` });
      expect([moved.status, moved.body.warning]).toEqual([200, undefined]);
      await scene.call("DELETE", path(endpoint));
    }
    expect(answers[0]).toEqual(answers[1]);
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

test("an update checks the URL too", async () => {
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
  expect([succeeded.deliveryIds.length, failed.deliveryIds.length]).toEqual([0, 1]);
  await scene.call("DELETE", path(endpoint));
});

describe("while an endpoint is disabled", () => {
  /**
   * A disabled endpoint with two deliveries: one that failed before it was disabled, and one of a later
   * event.
   */
  async function disabledWithTwo(name: string) {
    const endpoint = await scene.createEndpoint(`${scene.receiver.url}/${name}`);
    scene.receiver.answer((_one, response) => response.writeHead(500).end());
    const before = await scene.emit();
    await scene.deliveryWhen({ event_id: before.id }, (one) => one.attempts === 1);
    const disabled = await scene.call("PATCH", path(endpoint), { status: "disabled" });
    expect(disabled.body).toMatchObject({
      status: "disabled",
      disabled_reason: "manual",
      waiting_deliveries: 1,
    });
    const since = await scene.emit();
    scene.receiver.answer((_one, response) => response.writeHead(200).end());
    return { endpoint, events: [before, since] };
  }

  test("undelivered events wait, are shown, cost the workers nothing, and are sent when the endpoint is enabled", async () => {
    const { endpoint, events } = await disabledWithTwo("paused");
    for (const [index, event] of events.entries()) {
      const waiting = await scene.deliveryWhen({ event_id: event.id }, () => true);
      expect(waiting).toMatchObject({ status: "waiting", attempts: 1 - index, next_attempt_at: null });
      const retry = await scene.call("POST", `/webhooks/deliveries/${waiting.id}/retry`);
      expect(retry.body.error).toMatchObject({ code: "endpoint_disabled" });
    }
    expect((await scene.call("POST", path(endpoint, "/test"))).status).toBe(409);
    expect((await scene.call("GET", path(endpoint))).body.waiting_deliveries).toBe(2);
    const { rows } = await scene.context.database.pool.query(
      `select count(*)::int as queued from webhook_deliveries where endpoint_id = $1
       and status in ('pending', 'failed') and next_attempt_at is not null`,
      [endpoint.id],
    );
    expect(rows).toEqual([{ queued: 0 }]);

    const enabled = await scene.call("PATCH", path(endpoint), { status: "enabled" });
    expect(enabled.body).toMatchObject({
      waiting_deliveries: 0,
      resumed: { action: "send", deliveries: 2 },
    });
    for (const event of events)
      expect(await scene.deliveryWhen({ event_id: event.id }, isDone)).toMatchObject({ status: "delivered" });
    await scene.call("DELETE", path(endpoint));
  });

  test("waiting deliveries can be dropped when the endpoint is enabled", async () => {
    const { endpoint, events } = await disabledWithTwo("dropped");
    const misplaced = await scene.call("PATCH", path(endpoint), { waiting: "drop" });
    expect([misplaced.status, misplaced.body.error]).toMatchObject([400, { param: "waiting" }]);
    const enabled = await scene.call("PATCH", path(endpoint), { status: "enabled", waiting: "drop" });
    expect(enabled.body).toMatchObject({ resumed: { action: "drop", deliveries: 2 } });
    for (const event of events)
      expect(await scene.deliveryWhen({ event_id: event.id }, () => true)).toMatchObject({
        status: "canceled",
      });
    await scene.call("DELETE", path(endpoint));
  });

  test("a waiting delivery whose payload is removed becomes a dead letter with that reason", async () => {
    const { endpoint, events } = await disabledWithTwo("expired");
    const ids = events.map((event) => event.id);
    await scene.context.database.pool.query(
      "update webhook_events set payload_expires_at = now() where id = any($1)",
      [ids],
    );
    await sweepAll(scene.context, webhookPayloadSweep);
    for (const id of ids)
      expect(await scene.deliveryWhen({ event_id: id }, () => true)).toMatchObject({
        status: "dead-letter",
        last_error: "payload_expired",
      });
    await scene.call("DELETE", path(endpoint));
  });

  test("a delivery in flight waits too: it is counted, and dropped with the others", async () => {
    const endpoint = await scene.createEndpoint(`${scene.receiver.url}/slow`);
    const held = Promise.withResolvers<void>();
    scene.receiver.answer(async (_one, response) => {
      await held.promise;
      response.writeHead(500).end();
    });
    const event = await scene.emit();
    await scene.receiver.next((one) => one.path === "/slow");
    const disabled = await scene.call("PATCH", path(endpoint), { status: "disabled" });
    expect(disabled.body.waiting_deliveries).toBe(1);
    const enabled = await scene.call("PATCH", path(endpoint), { status: "enabled", waiting: "drop" });
    expect(enabled.body).toMatchObject({ resumed: { action: "drop", deliveries: 1 } });
    held.resolve();
    const dropped = await scene.deliveryWhen({ event_id: event.id }, (one) => one.attempts === 1);
    expect(dropped).toMatchObject({ status: "canceled", last_error: "http_5xx", next_attempt_at: null });
    await scene.call("DELETE", path(endpoint));
  });

  test("an attempt in flight ends first; an event that commits late is still sent", async () => {
    const endpoint = await scene.createEndpoint(`${scene.receiver.url}/late`);
    const held = Promise.withResolvers<void>();
    scene.receiver.answer(async (_one, response) => {
      await held.promise;
      response.writeHead(500).end();
    });
    const event = await scene.emit();
    await scene.receiver.next((one) => one.path === "/late");
    await scene.call("PATCH", path(endpoint), { status: "disabled" });
    held.resolve();
    await scene.deliveryWhen({ event_id: event.id }, (one) => one.attempts === 1);
    await sweepAll(scene.context, webhookDeliverySweep);
    expect(await scene.deliveryWhen({ event_id: event.id }, () => true)).toMatchObject({
      status: "waiting",
      attempts: 1,
      last_error: "http_5xx",
    });
    scene.receiver.answer((_one, response) => response.writeHead(200).end());
    // Simulates an event that read the endpoint before it was enabled and commits afterwards.
    await scene.context.database.pool.query("update webhook_endpoints set status = 'enabled' where id = $1", [
      endpoint.id,
    ]);
    await sweepAll(scene.context, webhookDeliverySweep);
    expect(await scene.deliveryWhen({ event_id: event.id }, isDone)).toMatchObject({ status: "delivered" });
    await scene.call("DELETE", path(endpoint));
  });
});

test("deleting cancels waiting deliveries, keeps the log, and a second delete is 404", async () => {
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

test("a delivery that is answered while its endpoint is deleted is recorded as delivered", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/deleted-meanwhile`);
  const held = Promise.withResolvers<void>();
  scene.receiver.answer(async (_one, response) => {
    await held.promise;
    response.writeHead(200).end();
  });
  const event = await scene.emit();
  await scene.receiver.next((one) => one.path === "/deleted-meanwhile");
  await scene.call("DELETE", path(endpoint));
  held.resolve();
  expect(await scene.deliveryWhen({ event_id: event.id }, isDone)).toMatchObject({
    status: "delivered",
    attempts: 1,
  });
});

test("a test event arrives, and is counted in the endpoint's health", async () => {
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

describe("an endpoint's own key pair", () => {
  /** Whether a `v1a` signature of the delivery was made with the private half of this key. */
  const isSignedWith = (key: string, { body, headers }: Received): boolean => {
    const x = Buffer.from(key.replace(/^whpk_/, ""), "base64").toString("base64url");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    return String(headers["webhook-signature"])
      .split(" ")
      .filter((part) => part.startsWith("v1a,"))
      .some((part) => verify(null, signed, publicKey, Buffer.from(part.slice(4), "base64")));
  };
  const keysOf = ({ public_keys: keys }: Endpoint) => keys.map(({ key }) => key);

  test("signs deliveries too, and peers that know only secrets still verify them", async () => {
    scene.receiver.answer((_one, response) => response.writeHead(200).end());
    const plain = await scene.createEndpoint(`${scene.receiver.url}/plain`);
    expect(plain.public_keys).toEqual([]);
    const endpoint = await scene.createEndpoint(`${scene.receiver.url}/pair`, { ed25519: true });
    const other = await scene.createEndpoint(`${scene.receiver.url}/pair`, { ed25519: true });
    const [key = ""] = keysOf(endpoint);
    expect(key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(keysOf(other)).not.toEqual([key]);
    const event = await scene.emit();
    for (const { id } of [endpoint, other])
      await scene.deliveryWhen({ event_id: event.id, endpoint_id: id }, isDone);
    const pairs = scene.receiver.received.filter((one) => one.path === "/pair");
    expect(pairs.map((one) => isSignedWith(key, one)).sort()).toEqual([false, true]);
    const received = pairs.find((one) => isSignedWith(key, one)) as Received;
    expect(isSignedWith(key, { ...received, body: received.body.replace("succeeded", "failed") })).toBe(
      false,
    );
    const headers = Object.fromEntries(
      Object.entries(received.headers).map(([name, value]) => [name, String(value)]),
    );
    const { body } = received;
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1a,\S+$/);
    expect(headers["x-svc-signature"]).not.toContain("v1a");
    expect(new Webhook(endpoint.secret).verify(body, headers)).toMatchObject({ object: "event" });
    const openai = new OpenAI({ apiKey: "none" });
    expect(await openai.webhooks.unwrap(body, headers, endpoint.secret)).toMatchObject({ object: "event" });
    const asked = new Request("https://x.example/", { method: "POST", body, headers });
    expect(await validateWebhook(asked, endpoint.secret)).toBe(true);
    const first = await scene.receiver.next((one) => one.path === "/plain");
    expect(first.headers["webhook-signature"]).not.toContain("v1a");
    for (const one of [plain, endpoint, other]) await scene.call("DELETE", path(one));
  });

  test("is rotated with the secret, with the same overlap, and removed when it is switched off", async () => {
    scene.receiver.answer((_one, response) => response.writeHead(200).end());
    const endpoint = await scene.createEndpoint(`${scene.receiver.url}/turned`, { ed25519: true });
    const [old = ""] = keysOf(endpoint);
    const rotated = (await scene.call("POST", path(endpoint, "/rotate_secret"), { overlap_seconds: 60 }))
      .body as unknown as Endpoint;
    expect(rotated.public_keys).toEqual([
      { key: expect.stringMatching(/^whpk_/), expires_at: null },
      { key: old, expires_at: expect.any(String) },
    ]);
    const [fresh = ""] = keysOf(rotated);
    await scene.emit();
    const received = await scene.receiver.next((one) => one.path === "/turned");
    expect([old, fresh].map((key) => isSignedWith(key, received))).toEqual([true, true]);
    const leaked = await scene.call("POST", path(endpoint, "/rotate_secret"), { overlap_seconds: 0 });
    expect(keysOf(leaked.body as unknown as Endpoint)).toHaveLength(1);
    const same = await scene.call("PATCH", path(endpoint), { ed25519: true });
    expect(same.body.public_keys).toEqual(leaked.body.public_keys);
    const off = await scene.call("PATCH", path(endpoint), { ed25519: false });
    expect(off.body.public_keys).toEqual([]);
    const rows = await scene.context.database.queries
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.targetId, endpoint.id));
    expect(rows.map(({ detail }) => detail)).toContainEqual({ ed25519: false });
    await scene.call("DELETE", path(endpoint));
  });
});

test("rotating again within an overlap leaves every secret its own overlap; the sixth is refused", async () => {
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/rotated-often`);
  const rotate = (overlapSeconds: number) =>
    scene.call("POST", path(endpoint, "/rotate_secret"), { overlap_seconds: overlapSeconds });
  const secrets = [endpoint.secret];
  for (const overlap of [3600, 60, 7200, 1800]) {
    const { body } = await rotate(overlap);
    secrets.push((body as unknown as EndpointWithSecret).secret);
  }
  const { body: shown } = await scene.call("GET", path(endpoint));
  const { previous_secrets: previous, secret_hint: hint } = shown as unknown as Endpoint;
  expect([hint, ...previous.map((secret) => secret.hint)]).toEqual(
    secrets.map((secret) => secret.slice(-4)).reverse(),
  );
  const leftSeconds = previous.map((secret) => (Date.parse(secret.expires_at) - Date.now()) / 1000);
  for (const [index, overlap] of [1800, 7200, 60, 3600].entries())
    expect(Math.abs((leftSeconds[index] ?? 0) - overlap)).toBeLessThan(30);

  const sixth = await rotate(60);
  expect([sixth.status, sixth.body.error]).toMatchObject([409, { code: "too_many_secrets" }]);
  await scene.emit();
  const { body, headers } = await scene.receiver.next((one) => one.path === "/rotated-often");
  const signature = String(headers["x-svc-signature"]);
  expect(signature.match(/v1=/g)).toHaveLength(5);
  for (const secret of secrets)
    expect(new Stripe("sk_test").webhooks.constructEvent(body, signature, secret).type).toBe(
      "prediction.succeeded",
    );

  const leaked = await rotate(0);
  expect([leaked.status, leaked.body.previous_secrets]).toEqual([200, []]);
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
