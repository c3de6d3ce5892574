import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ maxConcurrency: 2 });
});
afterAll(() => gateway.close());

const body = JSON.stringify({ model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] });

test("clients that leave while their key is looked up keep no place", async () => {
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
  const answer = await fetch(`${gateway.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(200);
});

async function ask(key: string): Promise<Socket> {
  const client = connect(gateway.context.config.port, "127.0.0.1");
  await once(client, "connect");
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\n`;
  client.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return client;
}

/** What was sent before has been read when two later requests, one after the other, are answered. */
async function gatewayHasReadAll(): Promise<void> {
  for (let n = 0; n < 2; n += 1) await (await fetch(new URL("/healthz", gateway.url))).text();
}
