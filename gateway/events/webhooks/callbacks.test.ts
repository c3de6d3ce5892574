import Replicate, { type Prediction, validateWebhook } from "replicate";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { type Received, type Receiver, startReceiver } from "#gateway/testing/receiver.ts";

const soon = { interval: 30 };
const film = { model: "svc/vid-t2v", prompt: "waves", duration: 2 };
/** The quickest run of the sandbox that is a prediction. */
const input = { prompt: "waves", quality: "low", size: "1024x1024", output_format: "jpeg" };
const picture = { model: "svc/img-gen-b", ...input };
const gatedFilm = {
  ...{ model: "svc/adult-vid-1", mode: "text-to-video", prompt: "waves", duration: 2 },
  ...{ resolution: "480P", ratio: "16:9", audio: false },
};

let gateway: TestGateway;
let receiver: Receiver;
let account: TestAccount;

beforeAll(async () => {
  const authority = await makeAuthority(newFolder("callbacks"));
  receiver = await startReceiver(authority.local);
  gateway = await startTestGateway({ webhooks: webhooksTo(receiver.port, authority) });
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.answer((_received, response) => response.writeHead(204).end());
  account = await gateway.createAccount();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds are read here
type Answered = { status: number; body: any };
const send = (method: string, to: string, body?: unknown, headers = {}, bearer = account.key) =>
  call(gateway, bearer, method, to, body, headers) as Promise<Answered>;
const receivedAt = (place: string) => receiver.received.filter((one) => one.path.startsWith(place));
const objectOf = ({ body }: Received) => JSON.parse(body).data.object;
/** The delivery of a callback, as soon as it has this status. */
const deliveryOf = (subject: string, status: string) =>
  vi.waitFor(async () => {
    const { body } = await send("GET", `/webhooks/deliveries?prediction_id=${subject}&status=${status}`);
    const [delivery] = body.data;
    if (!delivery) throw new Error(`no ${status} delivery yet`);
    return delivery;
  }, soon);

describe("every request whose result comes later", () => {
  const completed = (place: string) => receiver.next((one) => one.path === place);

  it.each([
    ["a run", "body", "/images/generations", picture],
    ["a run", "header", "/images/generations", picture],
    ["a run in Replicate's shape", "body", "/models/svc/img-gen-b/predictions", { input }],
    [
      "a response in the background",
      "body",
      "/responses",
      { model: "svc/chat-1", input: "Hi", background: true },
    ],
    [
      "a response in the background",
      "header",
      "/responses",
      { model: "svc/chat-1", input: "Hi", background: true },
    ],
    ["a batch", "body", "/batches", { model: "svc/chat-1", rows: [{ prompt: "one" }] }],
    ["a batch", "header", "/batches", { model: "svc/chat-1", rows: [{ prompt: "one" }] }],
  ])("%s names its callback URL in its %s", async (what, where, to, body) => {
    const place = `/in/${account.accountId}`;
    const url = `${receiver.url}${place}`;
    const made =
      where === "body"
        ? await send("POST", to, { ...body, callback_url: url })
        : await send("POST", to, body, { "x-svc-callback": url });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    const one = await completed(place);
    expect(objectOf(one).id).toBe(made.body.id);
    expect(one.headers["x-svc-signature"]).toMatch(/^t=\d+,v1=/);
    // Older transactions in this database may delay the event for a moment.
    const listed = async () => {
      const { data: feed } = (await send("GET", "/events")).body;
      return feed.filter(
        (event: { data: { object: { id: string } } }) => event.data.object.id === made.body.id,
      );
    };
    await expect.poll(listed, { message: what }).toHaveLength(1);
  });

  it("refuses a repeated Idempotency-Key if the callback URL is different", async () => {
    const key = { "idempotency-key": `callback-${account.accountId}` };
    const ask = (place: string) =>
      send("POST", "/images/generations", picture, { ...key, "x-svc-callback": `${receiver.url}${place}` });
    const first = await ask("/one");
    expect([first.status, (await ask("/one")).body.id]).toEqual([202, first.body.id]);
    expect((await ask("/two")).status).toBe(422);
  });

  it.each([
    ["chat", "/chat/completions", { model: "svc/chat-1", messages: [{ role: "user", content: "Hi" }] }],
    ["response that is not in the background", "/responses", { model: "svc/chat-1", input: "Hi" }],
    ["picture", "/images/generations", { model: "svc/img-gen-a-1", prompt: "a buoy", size: "256x256" }],
  ])("a %s returns its result at once and cannot have a callback", async (_what, to, body) => {
    const { status, body: answer } = await send("POST", to, { ...body, callback_url: `${receiver.url}/in` });
    expect([status, answer.error]).toMatchObject([400, { code: "invalid_parameter", param: "callback_url" }]);
  });

  it("a row of a batch cannot have a callback", async () => {
    const rows = [{ prompt: "waves", duration: 2, callback_url: `${receiver.url}/in` }];
    const { status, body } = await send("POST", "/batches", { model: "svc/vid-t2v", rows });
    expect([status, body.error.param]).toEqual([400, "callback_url"]);
  });
});

describe("a callback URL", () => {
  it.each([
    ["http://example.com/in", "invalid_webhook_url"],
    ["https://10.0.0.1/in", "invalid_webhook_url"],
    ["https://169.254.169.254/latest", "invalid_webhook_url"],
    ["https://[::ffff:10.0.0.1]/in", "invalid_webhook_url"],
    ["https://name.invalid/in", "invalid_webhook_url"],
    ["https://user:word@example.com/in", "invalid_webhook_url"],
    ["https://127.0.0.1:22/in", "invalid_webhook_url"],
    ["gopher://example.com", "invalid_webhook_url"],
    ["", "invalid_parameter"],
    [5, "invalid_parameter"],
    [`https://example.com/${"a".repeat(5_000)}`, "invalid_parameter"],
  ])("%s is refused", async (url, code) => {
    for (const asked of [
      send("POST", "/images/generations", { ...picture, callback_url: url }),
      send("POST", "/models/svc/vid-t2v/predictions", { input: { prompt: "a", duration: 2 }, webhook: url }),
      send("POST", "/responses", { model: "svc/chat-1", input: "a", background: true, callback_url: url }),
    ]) {
      const { status, body } = await asked;
      expect([status, body.error?.code]).toEqual([400, code]);
    }
  });

  it("must be on a host that an owner listed, or is refused if callbacks are off", async () => {
    const named = { ...picture, callback_url: `${receiver.url}/in` };
    const rule = (hosts: string[] | null) =>
      send("PATCH", "/account", { callback_hosts: hosts }, {}, account.session);
    expect((await rule([])).body.callback_hosts).toEqual([]);
    expect((await send("POST", "/images/generations", named)).body.error.message).toContain(
      "switched callbacks off",
    );
    await rule(["Example.com"]);
    expect((await send("POST", "/images/generations", named)).body.error.message).toContain(
      "not one of them",
    );
    await rule(["127.0.0.1"]);
    expect((await send("POST", "/images/generations", named)).status).toBe(202);
    await rule(null);
    expect((await send("POST", "/images/generations", named)).status).toBe(202);
    const member = await gateway.addMember(account, "admin");
    expect((await send("PATCH", "/account", { callback_hosts: null }, {}, member.session)).status).toBe(403);
  });

  it("may contain a secret in its query, which no log shows", async () => {
    receiver.answer((_received, response) => response.writeHead(500).end());
    const url = `${receiver.url}/in/${account.accountId}?token=hunter2`;
    const { body: made } = await send("POST", "/images/generations", { ...picture, callback_url: url });
    const delivery = await deliveryOf(made.id, "dead-letter");
    const { body: detail } = await send("GET", `/webhooks/deliveries/${delivery.id}`);
    expect(detail).toMatchObject({
      callback: true,
      url: `${receiver.url}/in/${account.accountId}?…`,
      attempts: 8,
    });
    expect(JSON.stringify(detail)).not.toContain("hunter2");
    expect(receivedAt(`/in/${account.accountId}`)[0]?.path).toContain("token=hunter2");
    // Retries the same event to the same address manually.
    receiver.answer((_received, response) => response.writeHead(204).end());
    expect((await send("POST", `/webhooks/deliveries/${delivery.id}/retry`)).status).toBe(202);
    await deliveryOf(made.id, "delivered");
    // After an owner has removed the host, no attempt reaches it.
    const before = receivedAt(`/in/${account.accountId}`).length;
    await send("PATCH", "/account", { callback_hosts: [] }, {}, account.session);
    const { body: closed } = await send("POST", `/webhooks/deliveries/${delivery.id}/retry`);
    await vi.waitFor(async () => {
      const { body: last } = await send("GET", `/webhooks/deliveries/${closed.id}`);
      expect(last).toMatchObject({ status: "dead-letter", last_error: "blocked_address", attempts: 0 });
    }, soon);
    expect(receivedAt(`/in/${account.accountId}`)).toHaveLength(before);
    const bodies = receivedAt(`/in/${account.accountId}`).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(gateway.logLines.join("\n")).not.toContain("hunter2");
  });
});

it("is not in any list of endpoints, and cannot be found by its id", async () => {
  const url = `${receiver.url}/in/${account.accountId}`;
  const { body: made } = await send("POST", "/images/generations", { ...picture, callback_url: url });
  const { endpoint_id: hidden } = await deliveryOf(made.id, "delivered");
  expect((await send("GET", "/webhooks/endpoints")).body.data).toEqual([]);
  for (const [method, to, body] of [
    ["GET", "", undefined],
    ["PATCH", "", { status: "enabled" }],
    ["DELETE", "", undefined],
    ["POST", "/test", undefined],
    ["POST", "/rotate_secret", {}],
  ] as const)
    expect((await send(method, `/webhooks/endpoints/${hidden}${to}`, body)).status).toBe(404);
});

it("of a gated model is refused unless an owner listed its host", async () => {
  await gateway.attest(account, "adult");
  const run = async (place: string) => {
    const url = `${receiver.url}${place}`;
    const { status } = await send(
      "POST",
      "/videos/generations",
      { ...gatedFilm, callback_url: url },
      {},
      account.session,
    );
    expect(status).toBe(202);
    return objectOf(await receiver.next((one) => one.path === place));
  };
  const hidden = await run(`/gated/${account.accountId}`);
  expect(hidden).toMatchObject({ status: "succeeded", output: null, gated: "adult", data: [{ url: null }] });
  await send("PATCH", "/account", { callback_hosts: ["127.0.0.1"] }, {}, account.session);
  expect((await run(`/listed/${account.accountId}`)).data[0].url).toContain("/v1/files/");
});

it("cannot be named by an agent's connection", async () => {
  const { checkCallback } = await import("./callbacks.ts");
  const actor = { accountId: account.accountId, boundTo: "mcp" } as Parameters<typeof checkCallback>[1];
  const asked = { url: `${receiver.url}/in`, shape: "event", param: "callback_url" } as const;
  await expect(checkCallback(gateway.context, actor, asked)).rejects.toMatchObject({
    code: "insufficient_scope",
  });
});

describe("an unmodified Replicate client", () => {
  const start = async (filter?: ("start" | "output" | "logs" | "completed")[]) => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const place = `/replicate/${account.accountId}`;
    const made = await replicate.predictions.create({
      ...{
        model: "svc/img-gen-b",
        input,
        webhook: `${receiver.url}${place}`,
      },
      ...(filter && { webhook_events_filter: filter }),
    });
    const done = (one: Received) => one.path === place && JSON.parse(one.body).status === "succeeded";
    await receiver.next(done);
    await vi.waitFor(async () => {
      const { body } = await send("GET", `/webhooks/deliveries?prediction_id=${made.id}`);
      expect(body.data.every(({ status }: { status: string }) => status === "delivered")).toBe(true);
    }, soon);
    return { replicate, made, received: receivedAt(place) };
  };

  it("names a webhook, and verifies deliveries with the secret that it reads", async () => {
    const { replicate, made, received } = await start(["completed"]);
    expect(received).toHaveLength(1);
    const [one] = received;
    const prediction = JSON.parse(one?.body ?? "");
    expect(prediction).toMatchObject({ id: made.id, status: "succeeded", input: { prompt: "waves" } });
    expect(prediction.output[0]).toContain("/v1/files/");
    const { key: secret } = await replicate.webhooks.default.secret.get();
    const signed = (changed: string) =>
      validateWebhook({
        ...{ secret, body: changed },
        id: String(one?.headers["webhook-id"]),
        timestamp: String(one?.headers["webhook-timestamp"]),
        signature: String(one?.headers["webhook-signature"]),
      });
    expect(await signed(one?.body ?? "")).toBe(true);
    expect(await signed(`${one?.body} `)).toBe(false);
  });

  it("receives the start, the output and the end if it asks for them, and always the end", async () => {
    const { received } = await start(["start"]);
    expect(received.map(({ body }) => JSON.parse(body).status)).toEqual(["processing", "succeeded"]);
  });

  it("by default gets the output while the prediction runs, and then the end", async () => {
    const { replicate, received } = await start();
    expect(received).toHaveLength(2);
    const { key: secret } = await replicate.webhooks.default.secret.get();
    const seen: Prediction[] = [];
    for (const { body, headers } of received) {
      const signed = {
        ...{ id: String(headers["webhook-id"]), timestamp: String(headers["webhook-timestamp"]) },
        ...{ signature: String(headers["webhook-signature"]), secret, body },
      };
      expect(await validateWebhook(signed)).toBe(true);
      seen.push(JSON.parse(body));
    }
    const [output, end] = seen.sort((a, b) => a.status.localeCompare(b.status));
    expect(output).toMatchObject({ status: "processing", completed_at: null });
    expect(output?.metrics?.total_time).toBeUndefined();
    expect(end).toMatchObject({ status: "succeeded", completed_at: expect.any(String) });
    expect(output?.output).toEqual(end?.output);
    expect(output?.output).toHaveLength(1);
  });

  it("names the events that exist when one is unknown", async () => {
    const { status, body } = await send("POST", "/models/svc/vid-t2v/predictions", {
      ...{ input: { prompt: "a", duration: 2 }, webhook: receiver.url, webhook_events_filter: ["end"] },
    });
    expect([status, body.error.param]).toEqual([400, "webhook_events_filter"]);
  });
});

describe("the secret", () => {
  it("needs its own permission, and after a rotation the old and the new secret both sign", async () => {
    const { key } = (await send("GET", "/webhooks/default/secret")).body;
    expect(key).toMatch(/^whsec_/);
    const viewer = await gateway.addMember(account, "member");
    expect((await send("GET", "/webhooks/default/secret", undefined, {}, viewer.session)).status).toBe(403);
    const once = { "idempotency-key": `rotate-${account.accountId}` };
    const rotated = (await send("POST", "/webhooks/default/secret/rotate", {}, once)).body.key;
    expect((await send("POST", "/webhooks/default/secret/rotate", {}, once)).body).toEqual({});
    expect(rotated).not.toBe(key);
    expect((await send("GET", "/webhooks/default/secret")).body.key).toBe(rotated);
    const place = `/rotated/${account.accountId}`;
    await send("POST", "/images/generations", { ...picture, callback_url: `${receiver.url}${place}` });
    const one = await receiver.next(({ path: at }) => at === place);
    expect(String(one.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    const log = await send("GET", "/audit_logs", undefined, {}, account.session);
    expect(JSON.stringify(log.body)).toContain("webhook_callback.secret_rotated");
    expect(JSON.stringify(log.body)).not.toContain(rotated);
  });

  it("is created once, however many requests ask at the same time", async () => {
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => send("GET", "/webhooks/default/secret")),
    );
    expect(new Set(asked.map(({ body }) => body.key)).size).toBe(1);
  });
});

it("receives a cancellation, and nothing once the owner has switched callbacks off", async () => {
  const place = `/canceled/${account.accountId}`;
  const start = async () =>
    (await send("POST", "/videos/generations", { ...film, callback_url: `${receiver.url}${place}` })).body.id;
  const first = await start();
  await send("POST", `/predictions/${first}/cancel`);
  expect(objectOf(await receiver.next((one) => one.path === place)).status).toBe("canceled");
  const second = await start();
  await send("PATCH", "/account", { callback_hosts: [] }, {}, account.session);
  await send("POST", `/predictions/${second}/cancel`);
  const { body } = await send("GET", `/webhooks/deliveries?prediction_id=${second}`);
  expect(body.data).toEqual([]);
});

it("is refused when the extensions are off", async () => {
  const { config } = gateway.context;
  config.extensions = false;
  try {
    const { status } = await send("POST", "/images/generations", {
      ...picture,
      callback_url: `${receiver.url}/in`,
    });
    expect(status).toBe(400);
  } finally {
    config.extensions = true;
  }
});

it("limits how many hosts of an account can have waiting callbacks", async () => {
  const { keepCallback } = await import("./callbacks.ts");
  const { context } = gateway;
  const keep = (n: number) =>
    context.database.transaction((queries) =>
      keepCallback(context, queries, account.accountId, `pred_test_${account.accountId}_${n}`, {
        ...{ url: `https://host-${n}.example.com/in`, origin: `https://host-${n}.example.com` },
        ...{ shape: "event", events: ["completed"] },
      }),
    );
  for (let n = 0; n < 20; n += 1) await keep(n);
  await expect(keep(20)).rejects.toMatchObject({ code: "too_many_endpoints" });
  await context.database.pool.query("delete from callbacks where account_id = $1", [account.accountId]);
  await keep(20);
});
