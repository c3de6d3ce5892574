import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import Stripe from "stripe";
import { afterAll, describe, expect, inject, it } from "vitest";
import { makeAuthority } from "./testing/certificates.ts";
import { call } from "./testing/gateway.ts";
import { startReceiver } from "./testing/receiver.ts";

const owner = { email: "owner@example.com", password: "correct-horse-battery" };
const running: ChildProcess[] = [];

/** The real program on its own data folder, as `npm start` runs it; resolves once it answers. */
async function startProgram(environment: Record<string, string>): Promise<ChildProcess> {
  const base = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" as const };
  const program = spawn(process.execPath, ["gateway/main.ts"], {
    env: { ...base, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(program);
  const lines = createInterface({ input: program.stdout });
  for await (const line of lines) if (line.startsWith("Gateway ready")) break;
  program.stdout.resume();
  program.stderr.resume();
  return program;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe("kill -9 of the gateway while a video runs", () => {
  afterAll(() => {
    for (const program of running) program.kill("SIGTERM");
  });

  it("ends, after a restart, with one succeeded prediction, one event and one delivered webhook", async () => {
    const dataDir = mkdtempSync(path.join(inject("testServer").folder, "crash-"));
    const authority = await makeAuthority(dataDir);
    const receiver = await startReceiver(authority.local);
    const port = await freePort();
    const environment = {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEWAY_PORT: String(port),
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      WEBHOOK_PORTS: String(receiver.port),
      WEBHOOK_CA_FILE: authority.caFile,
    };
    const gateway = { url: `http://127.0.0.1:${port}/v1` };
    const first = await startProgram(environment);
    const session = String((await call(gateway, null, "POST", "/account/sessions", owner)).body.token);
    const endpoint = await call(gateway, session, "POST", "/webhooks/endpoints", { url: receiver.url });
    expect(endpoint.status).toBe(201);
    const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 5 };
    const { body: accepted } = await call(gateway, session, "POST", "/videos", video);
    const id = String(accepted.id);
    const follow = await fetch(`${gateway.url}/predictions/${id}/events`, {
      headers: { authorization: `Bearer ${session}` },
    });
    for await (const chunk of follow.body as unknown as AsyncIterable<Uint8Array>)
      if (Buffer.from(chunk).toString().includes('"provider_accepted"')) break;
    first.kill("SIGKILL");
    await once(first, "exit");

    const second = await startProgram(environment);
    const delivered = await receiver.next();
    const event = new Stripe("unused").webhooks.constructEvent(
      delivered.body,
      String(delivered.headers["x-svc-signature"]),
      String(endpoint.body.secret),
    );
    expect(event.type).toBe("prediction.succeeded");
    const { body: prediction } = await call(gateway, session, "GET", `/predictions/${id}`);
    expect(prediction).toMatchObject({ id, status: "succeeded", error: null });
    const deliveries = await deliveredLog(gateway, session, id);
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).toMatchObject({ status: "delivered", attempts: 1, event_id: event.id });
    expect(receiver.received).toHaveLength(1);
    second.kill("SIGTERM");
    await once(second, "exit");
    await receiver.close();
  }, 120_000);
});

/** The deliveries of a prediction, once the result of the attempt is written. */
async function deliveredLog(
  gateway: { url: string },
  session: string,
  id: string,
): Promise<Record<string, unknown>[]> {
  for (;;) {
    const { body } = await call(gateway, session, "GET", `/webhooks/deliveries?prediction_id=${id}`);
    const rows = body.data as Record<string, unknown>[];
    if (rows.every((row) => row.status === "delivered")) return rows;
  }
}
