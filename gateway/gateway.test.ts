import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { providerAt, startMappedGateway } from "./models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "./models/providers/testing/openai-server.ts";
import { call, startTestGateway } from "./testing/gateway.ts";

it("stops although a client has sent only half of a request", async () => {
  const gateway = await startTestGateway({ drainMs: 100 });
  const { key } = await gateway.createAccount();
  const client = connect(gateway.context.config.port, "127.0.0.1").resume();
  await once(client, "connect");
  client.on("error", () => {});
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\n`;
  client.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  const closed = once(client, "close");
  await gateway.close();
  await closed;
  expect(client.destroyed).toBe(true);
});

it("stops at once although a browser opened an unused connection", async () => {
  const gateway = await startTestGateway({ drainMs: 20_000 });
  const client = connect(gateway.context.config.port, "127.0.0.1").resume();
  client.on("error", () => {});
  await once(client, "connect");
  // An answered request proves that the earlier connection was accepted.
  await (await fetch(`${gateway.url}/models`)).text();
  const startedAt = performance.now();
  await gateway.close();
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };

it("drains: notifies load balancers, serves them until they have noticed, hands over waiting work, and interrupts nothing", async () => {
  const gateway = await startTestGateway({ drainMs: 20_000 });
  const { key } = await gateway.createAccount();
  const origin = new URL(gateway.url).origin;
  const probe = async () => (await fetch(`${origin}/readyz`)).status;
  expect(await probe()).toBe(200);
  const bearer = { authorization: `Bearer ${key}` };
  const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 10 };
  const accepted = await call(gateway, key, "POST", "/videos/generations", video);
  const events = await fetch(`${gateway.url}/predictions/${accepted.body.id}/events`, { headers: bearer });
  const waiting = call(gateway, key, "POST", "/videos/generations", video, { prefer: "wait=60" });
  const text = JSON.stringify(chat);
  const slow = connect(gateway.context.config.port, "127.0.0.1");
  slow.setEncoding("utf8");
  let answer = "";
  slow.on("data", (part) => {
    answer += part;
  });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\n`;
  slow.write(
    `${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 9)}`,
  );
  await expect.poll(() => gateway.logLines.length).toBeGreaterThan(1);
  const closed = gateway.close();
  expect(await waiting).toMatchObject({
    status: 202,
    body: { status: expect.stringMatching(/starting|processing/) },
  });
  await events.text();
  expect([await probe(), await probe()]).toEqual([503, 503]);
  const late = await call(gateway, key, "POST", "/chat/completions", chat);
  expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
  expect(await probe()).toBe(503);
  await expect.poll(() => probe().catch(() => "closed")).toBe("closed");
  const gone = once(slow, "close");
  slow.write(text.slice(9));
  await gone;
  expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
  await closed;
});

it("notifies work that still runs when the drain time is over", async () => {
  const upstream = await startOpenAiServer();
  const mapped = await startMappedGateway(
    {
      providers: {
        main: providerAt(upstream),
      },
      routes: [{ models: ["svc/chat-1"], provider: "main", upstream_model: "main" }],
    },
    { drainMs: 200 },
  );
  upstream.streamEnd = "held";
  // With its headers, the stream has begun: before that, the client would get an error instead.
  const stream = await fetch(`${mapped.gateway.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...chat, stream: true }),
  });
  await expect.poll(() => upstream.seen.length).toBe(1);
  const [text] = await Promise.all([stream.text(), mapped.close()]);
  expect(text).toMatch(/This gateway process is stopping.*\n\n$/);
  await upstream.close();
});
