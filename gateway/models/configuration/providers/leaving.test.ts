import { writeFileSync } from "node:fs";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { openDistricts } from "#gateway/districts.ts";
import { startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { englishOf } from "#gateway/platform/core/sentences.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { readReference } from "./read-connections.ts";
import { providerSweep } from "./sweep.ts";

const soon = { interval: 50 };
const secret = "sk-the-secret-key-of-a-test-0002";
const upstream = shared(startOpenAiServer);
const mapped = shared(() => startMappedGateway({ providers: {}, routes: [] }));

const ask = (method: string, path: string, body?: unknown) =>
  call(mapped.gateway, mapped.account.session, method, `/operator${path}`, body);

it("a deleted provider finishes its runs, accepts no new ones, and is then removed", async () => {
  const provider = {
    name: "leaver",
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { "sg-singapore": { key: secret } },
    allow_private: true,
  };
  expect((await ask("POST", "/providers", provider)).status).toBe(201);
  const route = { models: ["svc/vid-t2v"], provider: "leaver", upstream_model: "film" };
  expect((await ask("PUT", "/routes", { routes: [route] })).status).toBe(200);
  upstream.videoPolls = Number.POSITIVE_INFINITY;
  const order = { model: "svc/vid-t2v", prompt: "a pine", duration: 5 };
  const { body: started } = await mapped.post("/videos", order);
  await vi.waitFor(async () => {
    const { body } = await ask("GET", "/providers/leaver");
    expect(body.running_predictions).toBe(1);
  }, soon);

  const deleted = await ask("DELETE", "/providers/leaver");
  expect([deleted.status, deleted.body]).toMatchObject([202, { deleted: false, running_predictions: 1 }]);
  expect((await ask("GET", "/providers/leaver")).body.status).toBe("leaving");
  const refused = await mapped.post("/videos", order);
  expect(refused.body.error).toMatchObject({ code: "service_unavailable" });
  const again = await ask("POST", "/providers", provider);
  expect(again.body.error).toMatchObject({ code: "provider_exists" });

  upstream.videoPolls = 0;
  expect(await mapped.ended(String(started.id))).toMatchObject({ status: "succeeded" });
  await sweepAll(mapped.gateway.context, providerSweep);
  expect((await ask("GET", "/providers/leaver")).status).toBe(404);
  // The deleted provider's route still keeps the sandbox from answering.
  expect((await mapped.post("/videos", order)).body.error).toMatchObject({ code: "service_unavailable" });
  expect((await ask("PUT", "/routes", { routes: [] })).status).toBe(200);
});

it("the providers file is read again when it changes, and a broken one changes nothing", async () => {
  const file = mapped.gateway.context.config.providersFile ?? "";
  const entry = { protocol: "openai", base_url: `${upstream.origin}/v1`, credentials: { "us-virginia": {} } };
  const route = { models: ["svc/chat-1"], provider: "of-file", upstream_model: "m" };
  writeFileSync(file, JSON.stringify({ providers: { "of-file": entry }, routes: [route] }));
  const listed = async () =>
    (await ask("GET", "/providers")).body as { data: { name: string }[]; file: { problem: string | null } };
  await vi.waitFor(async () => {
    const { data } = await listed();
    expect(data).toMatchObject([{ name: "of-file", managed_by: "file", id: "of-file" }]);
  }, soon);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  upstream.seen.length = 0;
  expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
  expect(upstream.at(0).json()).toMatchObject({ model: "m" });
  expect((await ask("DELETE", "/providers/of-file")).body.error).toMatchObject({ code: "managed_by_file" });

  writeFileSync(file, JSON.stringify({ providers: {}, routes: [route] }));
  await vi.waitFor(async () => expect((await listed()).file.problem).toMatch(/routes\[0\]/), soon);
  expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
  writeFileSync(file, JSON.stringify({ providers: {}, routes: [] }));
  await vi.waitFor(
    async () => expect(await listed()).toMatchObject({ data: [], file: { problem: null } }),
    soon,
  );
});

it("keys are resealed while the master secret is replaced; without the previous secret nothing starts", async () => {
  const { context } = mapped.gateway;
  const credentials = { "us-virginia": { key: secret } };
  await ask("POST", "/providers", { name: "kept", protocol: "openai", credentials });
  const log = pino({ level: "silent" });
  // The test's own gateway still needs its database connection.
  const database = { ...context.database, close: async () => {} };
  const next = { ...context.config, secret: "a-newer-secret-that-only-tests-know-02", previousSecret: null };
  const ground = { config: next, log, database, telemetry: null };
  await expect(openDistricts(ground)).rejects.toThrow(/AUTH_SECRET does not open the keys of kept/);

  const both = { ...next, previousSecret: context.config.secret };
  await sweepAll({ ...context, config: both }, providerSweep);
  const { context: read } = await openDistricts(ground);
  const kept = read.configuration.current.connections.find(({ row }) => row.name === "kept");
  expect(kept?.connection.keys.get("us-virginia")?.[0]?.secret).toBe(secret);
  read.configuration.close();
});

it("a reference can name only a variable or a file of secrets", () => {
  const places = { environment: { MY_KEY: " k1 ", AUTH_SECRET: "s" }, folder: "/run/secrets" };
  expect(readReference("env:MY_KEY", places)).toEqual({ key: "k1" });
  for (const [reference, problem] of [
    ["env:AUTH_SECRET", /is a setting of this gateway/],
    ["env:NONE", /is not set/],
    ["file:/etc/passwd", /is not below \/run\/secrets/],
    ["file:/run/secrets/../../etc/passwd", /is not below/],
    ["file:/run/secrets/kubernetes.io/serviceaccount/token", /is not below/],
    ["file:/run/secrets/none", /cannot be read/],
  ] as const) {
    const read = readReference(reference, places);
    expect("problem" in read && englishOf(read.problem)).toMatch(problem);
  }
});
