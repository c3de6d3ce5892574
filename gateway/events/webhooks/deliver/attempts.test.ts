import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { isDone, type Scene, startScene } from "../testing/scene.ts";
import { failureDetail } from "./post-event.ts";

/** Long enough for the other receivers on a busy machine. */
const timeoutMs = 2000;

const scene = shared(() => startScene({ timeoutMs }));

/** Sends one delivery to its own path with this answer; resolves when it has ended. */
async function deliver(answer: Parameters<Scene["receiver"]["answer"]>[0], check = isDone) {
  const path = `/${randomBytes(4).toString("hex")}`;
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}${path}`);
  scene.receiver.answer(answer);
  const event = await scene.emit();
  const delivery = await scene.deliveryWhen({ event_id: event.id, endpoint_id: endpoint.id }, check);
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
  return { delivery, received: scene.receiver.received.filter((one) => one.path === path), event, endpoint };
}

const failedOnce = (delivery: { attempts: number }) => delivery.attempts >= 1;

test("a delivery arrives with its headers, and the log shows the whole attempt", async () => {
  const { delivery, received, event } = await deliver((_one, response) =>
    response.writeHead(200, { "x-receiver": "mine" }).end("thanks\u0000"),
  );
  const [one] = received;
  expect(received).toHaveLength(1);
  expect(one?.headers).toMatchObject({
    "content-type": "application/json",
    "accept-encoding": "identity",
    "x-svc-event-id": event.id,
    "x-svc-delivery-id": delivery.id,
    "x-svc-delivery-attempt": "1",
    "webhook-id": event.id,
    "user-agent": expect.stringContaining("Gatehouse"),
  });
  const body = JSON.parse(one?.body ?? "");
  expect(body).toMatchObject({
    id: event.id,
    object: "event",
    type: "prediction.succeeded",
    api_version: "v1",
    account: scene.account.accountId,
    data: { object: { id: "pred_1", object: "prediction", model: "svc/vid-t2v" } },
  });
  expect(body.data.object).not.toHaveProperty("input");
  expect(delivery).toMatchObject({
    status: "delivered",
    attempts: 1,
    last_error: null,
    last_status_code: 200,
    next_attempt_at: null,
  });
  expect(delivery.attempt_log).toHaveLength(1);
  const [attempt] = delivery.attempt_log;
  expect(attempt).toMatchObject({
    number: 1,
    remote_ip: "127.0.0.1",
    request_body: one?.body,
    response_status: 200,
    response_body: "thanks\ufffd",
    response_body_truncated: false,
    error_code: null,
  });
  expect(attempt?.request_headers?.["x-svc-signature"]).toBe(one?.headers["x-svc-signature"]);
  expect(attempt?.response_headers?.["x-receiver"]).toBe("mine");
  expect(attempt?.timings.tls).toBeGreaterThan(0);
  expect(attempt?.timings.ttfb).toBeGreaterThan(0);
  expect(attempt?.timings.total).toBeGreaterThanOrEqual(attempt?.timings.ttfb ?? 0);
});

test("eight failures make a dead letter, each signed afresh over the same bytes", async () => {
  const { delivery, received } = await deliver((_one, response) => response.writeHead(500).end("no"));
  expect(received).toHaveLength(8);
  expect(new Set(received.map((one) => one.body)).size).toBe(1);
  expect(received.map((one) => one.headers["x-svc-delivery-attempt"])).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
  ]);
  expect(delivery).toMatchObject({
    status: "dead-letter",
    attempts: 8,
    last_error: "http_5xx",
    last_status_code: 500,
    next_attempt_at: null,
  });
  expect(delivery.attempt_log.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a success on the eighth attempt delivers", async () => {
  let asked = 0;
  const { delivery } = await deliver((_one, response) => {
    asked += 1;
    response.writeHead(asked < 8 ? 503 : 200).end();
  });
  expect(delivery).toMatchObject({
    status: "delivered",
    attempts: 8,
    last_error: null,
    last_status_code: 200,
  });
});

describe("receivers that misbehave", () => {
  test("a redirect is not followed, and the log shows its target", async () => {
    const { delivery, received } = await deliver(
      (_one, response) => response.writeHead(307, { location: `${scene.receiver.url}/elsewhere` }).end(),
      failedOnce,
    );
    expect(delivery.attempt_log[0]).toMatchObject({ error_code: "http_3xx", response_status: 307 });
    expect(delivery.attempt_log[0]?.error_detail).toContain("/elsewhere");
    expect(received.length).toBeGreaterThan(0);
    expect(scene.receiver.received.some((one) => one.path === "/elsewhere")).toBe(false);
  });

  test("a receiver that never answers times out", async () => {
    const { delivery } = await deliver(() => {}, failedOnce);
    expect(delivery.attempt_log[0]).toMatchObject({ error_code: "timeout", response_status: null });
    expect(delivery.attempt_log[0]?.duration_ms).toBeLessThan(2 * timeoutMs);
  });

  test("a slow, dripping answer is cut off at the total deadline, whatever its status", async () => {
    const { delivery } = await deliver((_one, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(drip));
    }, failedOnce);
    const [attempt] = delivery.attempt_log;
    expect(attempt).toMatchObject({ error_code: "timeout", response_status: 200 });
    expect(delivery).toMatchObject({ last_error: "timeout", last_status_code: null });
    expect(attempt?.response_body).toMatch(/^\.+$/);
    expect(attempt?.duration_ms).toBeLessThan(2 * timeoutMs);
  });

  test("of a gigabyte only 16 KiB are read", async () => {
    let sent = 0;
    const { delivery } = await deliver((_one, response) => {
      response.writeHead(200, { "content-length": 2 ** 30 });
      const chunk = Buffer.alloc(64 * 1024, "x");
      const pump = () => {
        while (!response.destroyed && sent < 2 ** 30 && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", pump);
      pump();
    });
    expect(delivery).toMatchObject({ status: "delivered" });
    expect(delivery.attempt_log[0]).toMatchObject({ response_body_truncated: true });
    expect(delivery.attempt_log[0]?.response_body).toHaveLength(16 * 1024);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test.each([
    ["too short a body", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"],
    ["something other than HTTP", "220 mail.example.com ESMTP\r\n"],
    ["broken chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    ["a header without end", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(40_000)}\r\n\r\n`],
    [
      "an upgrade that was not requested",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
  ])("%s is an invalid response", async (_name, raw) => {
    const { delivery } = await deliver((_one, _response, request) => request.socket.end(raw), failedOnce);
    expect(delivery.attempt_log[0]).toMatchObject({ error_code: "invalid_response" });
  });

  test("a receiver that hangs up is a reset connection", async () => {
    const { delivery } = await deliver((_one, _response, request) => request.socket.destroy(), failedOnce);
    expect(delivery.attempt_log[0]).toMatchObject({ error_code: "connection_reset", response_status: null });
  });

  test("a 410 is retried like any other failure, and shown with its status code", async () => {
    const { delivery } = await deliver((_one, response) => response.writeHead(410).end(), failedOnce);
    expect(delivery).toMatchObject({ last_error: "http_4xx", last_status_code: 410 });
  });
});

test("a status beyond 599 is no server error", async () => {
  const { delivery } = await deliver((_one, response) => response.writeHead(999).end(), failedOnce);
  expect(delivery).toMatchObject({ last_error: "invalid_response" });
});

test("an attempt without a connection shows no sent request, and explains the reason in plain words", async () => {
  const gone = await scene.createEndpoint("https://no-such-name.invalid/hook");
  const event = await scene.emit();
  const delivery = await scene.deliveryWhen({ event_id: event.id, endpoint_id: gone.id }, failedOnce);
  expect(delivery.attempt_log[0]).toMatchObject({ error_code: "dns_error", request_headers: null });
  await scene.call("DELETE", `/webhooks/endpoints/${gone.id}`);
});

test.each([
  [
    "unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca",
    "unable to verify the first certificate",
  ],
  [
    "write EPROTO 00B8F3A6:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:916:SSL alert number 40",
    "write EPROTO the TLS handshake failed: ssl/tls alert handshake failure",
  ],
  ["Answered 500", "Answered 500"],
])("explains to the receiver's owner what %j means", (message, words) => {
  expect(failureDetail(new Error(message))).toBe(words);
});

test("the next attempt waits as long as the receiver's Retry-After requests, up to an hour", async () => {
  const waitMinutes = async (retryAfter: string) => {
    const { delivery } = await deliver(
      (_one, response) => response.writeHead(429, { "retry-after": retryAfter }).end(),
      failedOnce,
    );
    const [attempt] = delivery.attempt_log;
    const waitMs = Date.parse(delivery.next_attempt_at ?? "") - Date.parse(attempt?.started_at ?? "");
    return Math.round(waitMs / 60_000);
  };
  expect(await waitMinutes("1800")).toBe(30);
  expect(await waitMinutes("86400")).toBe(60);
});

test("an idle connection that the receiver closed costs no attempt, and the log shows it", async () => {
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/kept`);
  scene.receiver.answer((one, response, request) => {
    // The answer promises to keep the connection open; the next request on it is read, and then the
    // connection is closed.
    const { socket } = request;
    if (socket.listenerCount("used") > 0) return void socket.destroy();
    socket.on("used", () => {});
    response.writeHead(200).end(one.path);
  });
  const logged: (string | null)[][] = [];
  for (let round = 0; round < 3; round += 1) {
    const event = await scene.emit();
    const delivery = await scene.deliveryWhen({ event_id: event.id, endpoint_id: endpoint.id }, isDone);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 1, last_error: null });
    const seen = scene.receiver.received.filter((one) => one.headers["x-svc-event-id"] === event.id);
    expect(delivery.attempt_log).toHaveLength(seen.length);
    expect(delivery.attempt_log.map(({ number }) => number)).toEqual(seen.map(() => 1));
    logged.push(delivery.attempt_log.map((attempt) => attempt.error_code));
  }
  expect(logged).toContainEqual(["stale_connection", null]);
  const { body } = await scene.call("GET", `/webhooks/endpoints/${endpoint.id}`);
  expect(body.health).toMatchObject({ deliveries_24h: 3, success_rate_24h: 1, consecutive_failures: 0 });
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
});
