import { expect, onTestFinished, test } from "vitest";
import { startOpenAiGateway } from "#gateway/models/providers/testing/openai-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

const chat = {
  model: "svc/chat-1",
  stream: true,
  max_tokens: 20,
  messages: [{ role: "user", content: "A long story about the sea. ".repeat(60) }],
};

function stream(
  url: string,
  key: string,
  idempotencyKey: string,
  { signal, body = chat }: { signal?: AbortSignal; body?: object } = {},
): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The answer with the same key, once the first request has ended. */
async function streamAgain(url: string, key: string, idempotencyKey: string): Promise<Response> {
  for (;;) {
    const answer = await stream(url, key, idempotencyKey);
    if (answer.status !== 409) return answer;
  }
}

test("an answer whose client disconnected is in the request log, and is not replayed", async () => {
  const leaving = new AbortController();
  const first = await stream(gateway.url, account.key, "left", { signal: leaving.signal });
  await first.body?.getReader().read();
  leaving.abort();
  const again = await streamAgain(gateway.url, account.key, "left");
  expect(again.headers.get("idempotent-replayed")).toBeNull();
  expect(await again.text()).toContain("data: [DONE]");
  const replayed = await stream(gateway.url, account.key, "left");
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  await expect
    .poll(async () => {
      const { body } = await call(gateway, account.key, "GET", "/requests?limit=100");
      return (body.data as { id: string }[]).map(({ id }) => id);
    })
    .toContain(first.headers.get("x-request-id"));
});

test("a stream ends once its answer is stored, so that the same request sent at once is replayed", async () => {
  const { pool } = gateway.context.database;
  const locking = await pool.connect();
  await locking.query("begin");
  onTestFinished(() => locking.release(true));
  // Long enough for the lock to be taken before its end.
  const body = { ...chat, max_tokens: 60 };
  const first = await stream(gateway.url, account.key, "at-once", { body });
  let isOver = false;
  const text = first.text().finally(() => {
    isOver = true;
  });
  await locking.query("select from idempotency_keys where key = 'at-once' for update");
  const storing = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like 'update "idempotency_keys"%'`;
  await expect.poll(async () => (await pool.query(storing)).rowCount).toBe(1);
  expect(isOver).toBe(false);
  await locking.query("commit");
  expect(await text).toContain("data: [DONE]");
  const again = await stream(gateway.url, account.key, "at-once", { body });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("an answer that the upstream interrupted is not replayed", async () => {
  const upstream = await startOpenAiServer();
  const mapped = await startOpenAiGateway(upstream);
  const { url } = mapped.gateway;
  upstream.streamEnd = "cut";
  const first = await stream(url, mapped.account.key, "cut");
  const text = await first.text();
  expect(text).toContain("upstream_stream_interrupted");
  expect(text).toContain(String(first.headers.get("x-request-id")));
  upstream.streamEnd = "done";
  const again = await streamAgain(url, mapped.account.key, "cut");
  expect(again.headers.get("idempotent-replayed")).toBeNull();
  expect(await again.text()).toContain("data: [DONE]");
  await mapped.close();
  await upstream.close();
});

test("a stream ends, and its upstream with it, when its key is revoked", async () => {
  const upstream = await startOpenAiServer();
  const mapped = await startOpenAiGateway(upstream);
  upstream.streamEnd = "held";
  const { body } = await call(mapped.gateway, mapped.account.session, "POST", "/keys", { name: "brief" });
  const answer = await stream(mapped.gateway.url, String(body.secret), "revoked");
  const text = answer.text();
  await call(mapped.gateway, mapped.account.session, "DELETE", `/keys/${String(body.id)}`);
  expect(await text).toContain('"code":"revoked_api_key"');
  expect(await text).not.toContain("[DONE]");
  await upstream.at(0).gone;
  await mapped.close();
  await upstream.close();
});

test.each([false, true])(
  "an ignored parameter of any name is listed in the answer's header (stream: %s)",
  async (streamed) => {
    const { status, headers } = await call(gateway, account.key, "POST", "/chat/completions", {
      ...chat,
      stream: streamed,
      "a\r\nb": 1,
      日本: 1,
      ["x".repeat(20_000)]: 1,
    });
    expect(status).toBe(200);
    expect(headers.get("x-svc-ignored-params")).toBe("a%0D%0Ab, %E6%97%A5%E6%9C%AC");
  },
);
