import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import type { ResolvedAddress } from "#gateway/platform/network/address-guard.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { isDone, startScene } from "../testing/scene.ts";

/** Long enough for a busy machine: the slow receiver below uses a little more than half of it, twice. */
const timeoutMs = 3000;
const halfMs = 0.55 * timeoutMs;

let answers: Record<string, () => Promise<ResolvedAddress[]>> = {};
const ipv4 = (address: string): ResolvedAddress => ({ address, family: 4 });

const scene = shared(() =>
  startScene(
    { timeoutMs },
    { resolve: (host) => answers[host]?.() ?? Promise.reject(new Error("ENOTFOUND")) },
  ),
);

async function firstAttempt(url: string) {
  const endpoint = await scene.createEndpoint(url);
  const event = await scene.emit();
  const delivery = await scene.deliveryWhen(
    { event_id: event.id, endpoint_id: endpoint.id },
    (one) => one.attempts >= 1,
  );
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
  return delivery.attempt_log[0];
}

test("an attempt fails without a connection if the name now resolves to a private address", async () => {
  const before = scene.receiver.received.length;
  answers = { "turned.example.com": async () => [ipv4("127.0.0.1"), ipv4("10.0.0.7")] };
  const attempt = await firstAttempt(`https://turned.example.com:${scene.receiver.port}/`);
  expect(attempt).toMatchObject({ error_code: "blocked_address", remote_ip: null, response_status: null });
  expect(JSON.stringify(attempt)).not.toMatch(/10\.0\.0\.7|127\.0\.0\.1/);
  answers = { "meta.example.com": async () => [ipv4("169.254.169.254")] };
  expect(await firstAttempt("https://meta.example.com/")).toMatchObject({ error_code: "blocked_address" });
  expect(scene.receiver.received).toHaveLength(before);
});

test("the connection goes to the address that was checked", async () => {
  const certificate = await scene.authority.issue(["good.example.com"]);
  const receiver = await startReceiver(certificate, 0);
  scene.context.config.webhooks.ports.push(receiver.port);
  let asked = 0;
  answers = {
    "good.example.com": async () => {
      asked += 1;
      return [ipv4(asked === 1 ? "127.0.0.1" : "10.0.0.1")];
    },
  };
  const attempt = await firstAttempt(`https://good.example.com:${receiver.port}/`);
  expect(attempt).toMatchObject({ error_code: null, remote_ip: "127.0.0.1", response_status: 204 });
  expect(attempt?.timings.dns).toBeGreaterThanOrEqual(0);
  await receiver.close();
});

test("connecting has its own deadline: the receiver gets its full time from the moment the request was sent", async () => {
  const certificate = await scene.authority.issue(["slow.example.com"]);
  const receiver = await startReceiver(certificate, 0);
  receiver.answer((_one, response) => void setTimeout(() => response.writeHead(204).end(), halfMs));
  scene.context.config.webhooks.ports.push(receiver.port);
  const slowly = () =>
    new Promise<ResolvedAddress[]>((resolve) => setTimeout(resolve, halfMs, [ipv4("127.0.0.1")]));
  answers = { "slow.example.com": slowly };
  const attempt = await firstAttempt(`https://slow.example.com:${receiver.port}/`);
  expect(attempt).toMatchObject({ error_code: null, response_status: 204 });
  expect(attempt?.timings.total).toBeGreaterThan(timeoutMs);
  answers = { "silent.example.com": () => new Promise(() => {}) };
  expect(await firstAttempt(`https://silent.example.com:${receiver.port}/`)).toMatchObject({
    error_code: "dns_error",
    error_detail: `No connection within ${timeoutMs} ms`,
  });
  await receiver.close();
});

test("a name that does not resolve is a DNS error, and is retried", async () => {
  answers = {};
  const endpoint = await scene.createEndpoint("https://nowhere.example.com/");
  const event = await scene.emit();
  const delivery = await scene.deliveryWhen({ event_id: event.id, endpoint_id: endpoint.id }, isDone);
  expect(delivery).toMatchObject({ status: "dead-letter", attempts: 8, last_error: "dns_error" });
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
});

test("a certificate that does not match is a TLS error", async () => {
  answers = { "other.example.com": async () => [ipv4("127.0.0.1")] };
  const attempt = await firstAttempt(`https://other.example.com:${scene.receiver.port}/`);
  expect(attempt).toMatchObject({ error_code: "tls_error", remote_ip: "127.0.0.1" });
});

test("a closed port is a refused connection", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  scene.context.config.webhooks.ports.push(port);
  expect(await firstAttempt(`https://127.0.0.1:${port}/`)).toMatchObject({ error_code: "connect_refused" });
});

test("a receiver that accepts the connection and never speaks TLS times out", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  scene.context.config.webhooks.ports.push(port);
  expect(await firstAttempt(`https://127.0.0.1:${port}/`)).toMatchObject({ error_code: "timeout" });
  server.close();
});

test("proxy settings in the environment are ignored", async () => {
  process.env.HTTPS_PROXY = "http://127.0.0.1:9";
  process.env.NODE_USE_ENV_PROXY = "1";
  expect(await firstAttempt(`${scene.receiver.url}/proxied`)).toMatchObject({ error_code: null });
  delete process.env.HTTPS_PROXY;
  delete process.env.NODE_USE_ENV_PROXY;
});
