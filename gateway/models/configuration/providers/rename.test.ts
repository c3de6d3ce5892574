import { expect, it, vi } from "vitest";
import { startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const soon = { interval: 50 };
const film = { model: "svc/vid-t2v", prompt: "a pine", duration: 5 };
const upstream = shared(startOpenAiServer);
const mapped = shared(() => startMappedGateway({ providers: {}, routes: [] }));

const ask = (method: string, path: string, body?: unknown) =>
  call(mapped.gateway, mapped.account.session, method, `/operator${path}`, body);
const connect = async (name: string) => {
  const { status, body } = await ask("POST", "/providers", {
    name,
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { "sg-singapore": {} },
    allow_private: true,
  });
  return { status, id: String(body.id), body };
};
const newestChange = async () => {
  const { body } = await ask("GET", "/changes?limit=1");
  return (body as { data: { id: string }[] }).data[0]?.id;
};
const routed = async () => {
  const { body } = await ask("GET", "/routes");
  return (body as { data: { provider: string; problem: string | null }[] }).data.map((route) => [
    route.provider,
    route.problem,
  ]);
};

it("a renamed provider keeps its routes and its running predictions; the change can be undone and redone", async () => {
  const { id } = await connect("lab");
  const route = { models: ["svc/vid-t2v"], provider: "lab", upstream_model: "film" };
  expect((await ask("PUT", "/routes", { routes: [route] })).status).toBe(200);
  const mapping = await newestChange();
  upstream.videoPolls = Number.POSITIVE_INFINITY;
  const { body: started } = await mapped.post("/videos", film);
  await vi.waitFor(async () => {
    expect((await ask("GET", "/providers/lab")).body.running_predictions).toBe(1);
  }, soon);

  const renamed = await ask("PATCH", `/providers/${id}`, { name: "studio" });
  expect(renamed.body).toMatchObject({ id, name: "studio", former_names: ["lab"], running_predictions: 1 });
  expect((await ask("GET", "/providers/lab")).status).toBe(404);
  expect(await routed()).toEqual([["studio", null]]);
  const taken = await connect("lab");
  expect([taken.status, taken.body.error]).toMatchObject([409, { code: "provider_exists", param: "name" }]);

  upstream.videoPolls = 0;
  expect(await mapped.ended(String(started.id))).toMatchObject({ status: "succeeded" });
  const { body: next } = await mapped.post("/videos", film);
  expect(await mapped.ended(String(next.id))).toMatchObject({ status: "succeeded" });

  const undo = async () => (await ask("POST", `/changes/${await newestChange()}/undo`)).status;
  expect(await undo()).toBe(200);
  expect(await routed()).toEqual([["lab", null]]);
  expect(await undo()).toBe(200);
  expect(await routed()).toEqual([["studio", null]]);

  // Earlier changes of the routes can still be undone, and use the new name.
  expect((await ask("POST", `/changes/${mapping}/undo`)).status).toBe(200);
  expect(await routed()).toEqual([]);
  expect((await ask("POST", `/changes/${await newestChange()}/undo`)).status).toBe(200);
  expect(await routed()).toEqual([["studio", null]]);
});

it("another provider's name is refused; a provider's old name is free when no run uses it", async () => {
  const { id } = await connect("one");
  await connect("two");
  const refused = await ask("PATCH", `/providers/${id}`, { name: "TWO" });
  expect(refused.body.error).toMatchObject({ code: "provider_exists", param: "name" });
  expect((await ask("PATCH", `/providers/${id}`, { name: "One" })).body.name).toBe("One");
  const { status } = await connect("one-more");
  expect(status).toBe(201);
  expect((await ask("PATCH", "/providers/two", { name: "three" })).body.former_names).toEqual(["two"]);
  expect((await connect("two")).status).toBe(201);
  expect((await ask("GET", "/providers/three")).body.former_names).toEqual([]);
});

it("a provider is renamed while another process reports its health under the old name", async () => {
  const { id } = await connect("health-before");
  const { pool } = mapped.gateway.context.database;
  const saying = await pool.connect();
  const says = (client: { query: typeof saying.query }, provider: string) =>
    client.query(
      "insert into upstream_health (provider, model, region, last_success_at) values ($1, 'film', 'sg-singapore', now())",
      [provider],
    );
  try {
    await says(pool, "health-before");
    await saying.query("begin");
    await says(saying, "health-now");
    const renaming = ask("PATCH", `/providers/${id}`, { name: "health-now" });
    await vi.waitFor(async () => {
      const { rows } = await pool.query("select 1 from pg_locks where not granted");
      expect(rows).not.toEqual([]);
    }, soon);
    await saying.query("commit");
    expect((await renaming).status).toBe(200);
  } finally {
    saying.release();
  }
  const { rows } = await pool.query("select provider from upstream_health where provider like 'health-%'");
  expect(rows).toEqual([{ provider: "health-now" }]);
});
