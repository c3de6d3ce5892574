import { writeFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CatalogList, CatalogOperation, RegionEntry } from "#contract/catalog.ts";
import type { OperatorRoute, RouteEntry } from "#contract/operator/routes.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { providerConnections } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user", content: "Hello" }];
const chatOf = (model: string, more = {}) => ({ model, messages, ...more });
const route = (more: Partial<RouteEntry> = {}): RouteEntry => ({
  models: ["svc/chat-2"],
  provider: "own",
  upstream_model: "llama",
  ...more,
});

const served = (operation?: CatalogOperation) => [
  ...new Set(operation?.deployments.map(({ svc_served_by }) => svc_served_by)),
];

describe("the routes of an instance", () => {
  let key: string;
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: { main: providerAt(upstream, { credentials: { "us-virginia": {} } }) },
      routes: [{ models: ["svc/chat-1"], provider: "main", upstream_model: "of-the-file" }],
    }),
  );
  beforeAll(async () => {
    const { context, createKey } = mapped.gateway;
    const baseUrl = `${upstream.origin}/v1`;
    await context.database.queries.insert(providerConnections).values([
      {
        id: "prov_own",
        name: "own",
        protocol: "openai",
        baseUrl,
        credentials: { "us-virginia": {}, "us-oregon": {} },
        allowPrivate: true,
      },
      {
        id: "prov_jobs",
        name: "jobs",
        protocol: "replicate",
        baseUrl,
        credentials: { "us-virginia": {} },
        allowPrivate: true,
      },
    ]);
    key = await createKey(mapped.account.accountId, { scopes: ["operator"] });
    // The rows above were written directly, so an empty change makes the gateway read them.
    await put([]);
  });
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await call(mapped.gateway, key, method, `/operator/routes${path}`, body);
    const {
      data = [],
      error,
      ...rest
    } = answer.body as {
      data?: OperatorRoute[];
      error?: { code: string; param: string; message: string };
      revision?: number;
      mapped?: string[];
      skipped?: { model: string; reason: string }[];
    };
    return { status: answer.status, body: answer.body, data, error, ...rest };
  };
  const put = (routes: (RouteEntry & { id?: string })[], revision?: number) =>
    ask("PUT", "", { routes, ...(revision !== undefined && { revision }) });
  const chat = async (model: string, more = {}) => {
    const answer = await mapped.post("/chat/completions", chatOf(model, more));
    return { status: answer.status, error: answer.body.error, sandbox: answer.headers.get("x-svc-sandbox") };
  };

  it("take effect before the answer is sent, and so does their removal", async () => {
    expect(await chat("svc/chat-2")).toMatchObject({ status: 200, sandbox: "true" });
    const made = await put([route()]);
    expect(made).toMatchObject({ status: 200, error: undefined });
    expect(await chat("svc/chat-2")).toMatchObject({ status: 200, sandbox: null });
    expect(upstream.at(0).json().model).toBe("llama");
    await put([]);
    expect(await chat("svc/chat-2")).toMatchObject({ status: 200, sandbox: "true" });
  });

  it("decide the serving providers in the catalog, without changing its sha256", async () => {
    const read = async () => {
      const { body, headers } = await call(mapped.gateway, null, "GET", "/models");
      const { data, registry } = body as unknown as CatalogList;
      const of = (id: string) => data.find((model) => model.id === id)?.operations[0];
      return { of, sha256: registry.sha256, etag: headers.get("etag") };
    };
    await put([]);
    const before = await read();
    expect(served(before.of("svc/chat-2"))).toEqual(["sandbox"]);
    expect(before.of("svc/chat-1")).toMatchObject({
      deployments: [
        { gateway_region: "us-oregon", svc_served_by: "none" },
        { gateway_region: "us-virginia", svc_served_by: "provider" },
      ],
    });
    const regions = await call(mapped.gateway, null, "GET", "/regions");
    const oregon = (regions.body.data as RegionEntry[]).find(({ id }) => id === "us-oregon");
    expect(oregon).toMatchObject({ status: "healthy", model_count: 0, api_types: [] });
    await put([route()]);
    const after = await read();
    expect(served(after.of("svc/chat-2"))).toContain("provider");
    expect(after.sha256).toBe(before.sha256);
    expect(after.etag).not.toBe(before.etag);
  });

  it("show the file's routes as read-only, and the decisions of the file", async () => {
    const { data } = await put([route({ models: ["svc/chat-1", "svc/chat-2"] })]);
    expect(data).toMatchObject([
      { id: "file:0", managed_by: "file", upstream_model: "of-the-file", weight: null },
      {
        id: expect.stringMatching(/^rte_/),
        managed_by: "console",
        problem: null,
        overruled: [{ model: "svc/chat-1", api_type: "chat-completions", region: "us-virginia" }],
      },
    ]);
    expect(data[1]?.serves).toContainEqual({
      model: "svc/chat-1",
      api_type: "chat-completions",
      region: "us-oregon",
    });
    expect((await chat("svc/chat-1")).status).toBe(200);
    expect((await chat("svc/chat-1", { region: "us-oregon" })).status).toBe(200);
    expect(upstream.seen.map((seen) => seen.json().model)).toEqual(["llama", "llama"]);
  });

  it("keep their ids, and refuse a change based on an outdated version", async () => {
    const first = await put([route(), route({ priority: 2 })]);
    const [, one, two] = first.data;
    const swapped = await put(
      [
        { ...route({ priority: 2 }), id: two?.id },
        { ...route(), id: one?.id },
      ] as never,
      first.revision,
    );
    expect(swapped.data.map(({ id }) => id)).toEqual(["file:0", two?.id, one?.id]);
    expect(await put([], first.revision)).toMatchObject({
      status: 409,
      error: { code: "configuration_changed" },
    });
    expect((await ask("GET", "")).data).toHaveLength(3);
  });

  it.each<[string, object, string, RegExp]>([
    ["an unknown provider", { provider: "nobody" }, "routes[1].provider", /"nobody", which is not connected/],
    ["an unknown model", { models: ["svc/chat-2", "svc/none"] }, "routes[1].models[1]", /not in the catalog/],
    ["a region without a key", { regions: ["cn-beijing"] }, "routes[1].regions[0]", /no credentials/],
    ["what the protocol cannot do", { provider: "jobs" }, "routes[1].models[0]", /does not support chat/],
    [
      "an operation that the model lacks",
      { api_types: ["text-to-speech"] },
      "routes[1].api_types",
      /no operation/,
    ],
    ["the id of nothing", { id: "rte_1" }, "routes[1].id", /not a route made in the console/],
    ["an unknown key", { weigth: 1 }, "routes[1].weigth", /weigth/],
  ])("refuse %s, name the place and change nothing", async (_what, wrong, param, message) => {
    await put([route()]);
    const before = await ask("GET", "");
    const { status, error } = await put([route(), { ...route(), ...wrong }]);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "invalid_parameter" });
    expect(error?.param).toBe(param);
    expect(error?.message).toMatch(message);
    expect((await ask("GET", "")).body).toEqual(before.body);
  });

  it("never fall back to the sandbox when their provider is gone", async () => {
    await put([route({ provider: "own" })]);
    const { database } = mapped.gateway.context;
    const gone = { leavingAt: new Date(), goneAt: new Date() };
    await database.queries.update(providerConnections).set(gone);
    await put((await ask("GET", "")).data.slice(1).map(({ id }) => ({ ...route({ provider: "own" }), id })));
    expect((await ask("GET", "")).data[1]).toMatchObject({
      problem: 'provider is "own", which is not connected',
      problem_codes: [{ code: "route_provider_unknown", values: { provider: "own" }, at: "provider" }],
    });
    expect(await chat("svc/chat-2")).toMatchObject({ status: 503 });
    await database.queries.update(providerConnections).set({ leavingAt: null, goneAt: null });
    // Simulates a provider of another protocol under the same name; any change makes the gateway read the
    // row.
    const own = eq(providerConnections.name, "own");
    await database.queries.update(providerConnections).set({ protocol: "replicate" }).where(own);
    await call(mapped.gateway, key, "PATCH", "/operator/models/svc/chat-1", { display_name: "Chat" });
    expect(await chat("svc/chat-2")).toMatchObject({
      status: 503,
      error: { message: expect.stringMatching(/An operator can map it/) },
    });
    await database.queries.update(providerConnections).set({ protocol: "openai" }).where(own);
    await put([]);
  });

  it("map all models with an operation in one step, except mapped ones, custom ones and those without a region there", async () => {
    await put([route({ models: ["svc/chat-2"], upstream_model: "old" })]);
    await call(mapped.gateway, key, "POST", "/operator/models", {
      id: "acme/chat",
      template: { model: "svc/chat-2", api_type: "chat-completions" },
      routes: [{ provider: "own", upstream_model: "mine" }],
    });
    const requested = {
      api_type: "chat-completions",
      provider: "own",
      upstream_model: "new",
      regions: ["us-virginia"],
    };
    const before = (await ask("GET", "")).data;
    const tried = await ask("POST", "/map", { ...requested, dry_run: true });
    expect(tried).toMatchObject({ mapped: ["svc/chat-2"], skipped: [{}, {}] });
    expect((await ask("GET", "")).data).toEqual(before);
    const all = await ask("POST", "/map", requested);
    expect(all.mapped).toEqual(["svc/chat-2"]);
    expect(all.skipped).toEqual([
      {
        model: "svc/chat-1",
        reason: "the providers file maps it",
        reason_codes: [{ code: "left_out_by_file", values: {} }],
      },
      {
        model: "acme/chat",
        reason: "it is your own model and already has a route",
        reason_codes: [{ code: "left_out_own_route", values: {} }],
      },
    ]);
    expect(all.data.slice(1)).toMatchObject([
      { models: ["acme/chat"], upstream_model: "mine" },
      { models: ["svc/chat-2"], upstream_model: "new" },
    ]);
    await call(mapped.gateway, key, "DELETE", "/operator/models/acme/chat");
    await put([route({ upstream_model: "new" })]);
    const speech = await ask("POST", "/map", {
      api_type: "text-to-speech",
      provider: "own",
      upstream_model: "tts",
    });
    expect(speech).toMatchObject({ status: 400, error: { param: "provider" } });
    expect(speech.error?.message).toMatch(/runs only in .*, for which own has no key/);
  });

  it("can be undone one by one, even after changes to other routes", async () => {
    const written = async () =>
      (await ask("GET", "")).data.slice(1).map(({ id, upstream_model }) => ({ id, upstream_model }));
    const rows = async (changed: Record<string, string>) =>
      (await written()).map(({ id, upstream_model }) => ({
        ...route({ upstream_model: changed[upstream_model] ?? upstream_model }),
        id,
      }));
    await put([route({ upstream_model: "a1" }), route({ upstream_model: "b1" })]);
    const newest = async () => {
      const { body } = await call(mapped.gateway, key, "GET", "/operator/changes?limit=1");
      return (body.data as { id: string }[])[0]?.id;
    };
    const undo = (id = "") => call(mapped.gateway, key, "POST", `/operator/changes/${id}/undo`);
    await put(await rows({ a1: "a2" }));
    const ofFirst = await newest();
    await put(await rows({ b1: "b2" }));
    const ofSecond = await newest();
    const { body } = await undo(ofFirst);
    expect((await written()).map((one) => one.upstream_model)).toEqual(["a1", "b2"]);
    await undo(ofSecond);
    expect((await written()).map((one) => one.upstream_model)).toEqual(["a1", "b1"]);
    expect((await undo(String(body.id))).status).toBe(200);
    expect((await written()).map((one) => one.upstream_model)).toEqual(["a2", "b1"]);
    await put((await rows({})).slice(1));
    await undo(await newest());
    expect((await written()).map((one) => one.upstream_model)).toEqual(["a2", "b1"]);
    await put([route({ upstream_model: "new" })]);
  });

  it("are previewed with their request, and their mistakes are reported before they are saved", async () => {
    const fields = { rename: { max_tokens: "max_completion_tokens" }, set: { keep_alive: "5m" } };
    const { body } = await ask("POST", "/preview", { route: route({ fields }) });
    expect(body).toMatchObject({
      model: "svc/chat-2",
      input: { model: "svc/chat-2", max_tokens: 200 },
      request: {
        method: "POST",
        url: `${upstream.origin}/v1/chat/completions`,
        json: { model: "llama", max_completion_tokens: 200, keep_alive: "5m" },
        form: null,
      },
    });
    const wrong = await ask("POST", "/preview", { route: route(), input: { messages: [] } });
    expect(wrong).toMatchObject({ status: 400, error: { param: "input.messages" } });
    expect(await ask("POST", "/preview", { route: route({ provider: "x" }) })).toMatchObject({
      status: 400,
      error: { param: "route.provider" },
    });
    expect(upstream.seen).toHaveLength(0);
  });

  it("follow the file when it changes", async () => {
    const file = mapped.gateway.context.config.providersFile ?? "";
    writeFileSync(file, JSON.stringify({ providers: {}, routes: [] }));
    await expect
      .poll(async () => (await ask("GET", "")).data, { timeout: 10_000 })
      .toEqual([expect.objectContaining({ managed_by: "console" })]);
  });
});
