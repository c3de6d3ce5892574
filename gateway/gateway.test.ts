import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { startTestGateway } from "./testing/gateway.ts";

it("stops although a client holds a request half sent", async () => {
  const gateway = await startTestGateway();
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

it("stops at once although a browser opened a connection ahead", async () => {
  const gateway = await startTestGateway();
  const client = connect(gateway.context.config.port, "127.0.0.1").resume();
  client.on("error", () => {});
  await once(client, "connect");
  // An answered request: the connection before it has been accepted.
  await (await fetch(`${gateway.url}/models`)).text();
  const startedAt = performance.now();
  await gateway.close();
  expect(performance.now() - startedAt).toBeLessThan(4000);
});
