import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CatalogList } from "#contract/catalog.ts";
import type { OperatorModel } from "#contract/operator/models.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { type FalServer, startFalServer } from "#gateway/models/providers/testing/fal-server.ts";
import {
  keyIn,
  type MappedGateway,
  providerAt,
  startMappedGateway,
  testKeys,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { type OpenAiServer, startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import {
  type ReplicateServer,
  startReplicateServer,
} from "#gateway/models/providers/testing/replicate-server.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, type TestAccount } from "#gateway/testing/gateway.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";
import * as published from "./testing/published.ts";

const chat = { template: { model: "svc/chat-2", api_type: "chat-completions" } };
const messages = [{ role: "user", content: "Hello" }];

describe("an operator's own models", () => {
  let replicate: ReplicateServer;
  let fal: FalServer;
  let openAi: OpenAiServer;
  let mapped: MappedGateway;
  let key: string;
  let other: TestAccount;
  let receiver: Receiver;
  beforeAll(async () => {
    [replicate, fal, openAi] = await Promise.all([
      startReplicateServer(),
      startFalServer(),
      startOpenAiServer(),
    ]);
    replicate.models = {
      "acme/fast-pictures": published.replicatePictures,
      "acme/wave-i2v": published.replicateVideo,
      "acme/llm-8b-chat": published.replicateChat,
    };
    fal.documents = { "fal-ai/pictures/edit": published.falEdit };
    const authority = await makeAuthority(newFolder("authority"));
    receiver = await startReceiver(authority.local);
    const file = {
      providers: {
        replicas: providerAt(replicate, {
          credentials: keyIn("us-virginia", "us-oregon"),
        }),
        llms: providerAt(openAi, { credentials: { "eu-frankfurt": {} } }),
        queue: {
          protocol: "fal",
          base_url: fal.origin,
          credentials: { "us-virginia": { env: "TEST_UPSTREAM_KEY" } },
        },
      },
      routes: [],
    };
    mapped = await startMappedGateway(file, { webhooks: webhooksTo(receiver.port, authority) });
    key = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    other = await mapped.gateway.createAccount();
  });
  afterAll(async () => {
    await mapped.close();
    await Promise.all([replicate.close(), fal.close(), openAi.close(), receiver.close()]);
  });
  beforeEach(() => {
    replicate.seen.length = 0;
    replicate.polls = 1;
    replicate.end = { status: "succeeded", output: "ORIGIN/files/out.png" };
    fal.seen.length = 0;
  });

  const ask = async (method: string, path = "", body?: object, bearer = key) => {
    const answer = await call(mapped.gateway, bearer, method, `/operator/models${path}`, body);
    return {
      status: answer.status,
      body: answer.body as unknown as OperatorModel,
      error: answer.body.error as { code: string; message: string; param: string } | undefined,
      answer: answer.body,
    };
  };
  const create = async (body: object) => {
    const made = await ask("POST", "", body);
    expect(made.error).toBeUndefined();
    return made.body;
  };
  const list = async (bearer: string | null, query = "") => {
    const { body, headers } = await call(mapped.gateway, bearer, "GET", `/models${query}`);
    const { data, registry } = body as unknown as CatalogList;
    return { data, registry, headers, ids: data.map(({ id }) => id) };
  };

  it("imports a model of Replicate, which then runs from its own form to a picture and a webhook", async () => {
    const requested = { id: "acme/fast", import: { provider: "replicas", name: "acme/fast-pictures" } };
    const { status, answer } = await ask("POST", "", { ...requested, dry_run: true });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      object: "operator.model_proposal",
      model: {
        id: "acme/fast",
        regions: ["us-virginia", "us-oregon"],
        operations: [{ fields: { prompt: "prompt" } }],
      },
      routes: [{ provider: "replicas", upstream_model: "acme/fast-pictures", rename: { n: "num_outputs" } }],
    });
    expect((await ask("GET", "/acme/fast")).error?.code).toBe("model_not_found");

    const model = await create({ ...requested, title: "Fast pictures" });
    expect(model).toMatchObject({ managed_by: "operator", revision: 1, display_name: "Fast pictures" });
    expect(await list(null)).toMatchObject({ ids: expect.arrayContaining(["acme/fast"]) });

    await mapped.post("/webhooks/endpoints", { url: `${receiver.url}/pictures` });
    const done = await mapped.run("/images/generations", {
      model: "acme/fast",
      prompt: "waves",
      n: 2,
      seed: null,
    });
    expect(done).toMatchObject({
      status: "succeeded",
      sandbox: false,
      data: [{ content_type: "image/png", width: 96 }],
      usage: { unit: "generation", quantity: 1 },
    });
    expect(replicate.created()[0]?.json()).toEqual({ input: { prompt: "waves", num_outputs: 2 } });
    expect(replicate.created()[0]?.headers.authorization).toBe(`Bearer ${testKeys.TEST_UPSTREAM_KEY}`);
    const told = await receiver.next(({ path: to }) => to === "/pictures");
    expect(JSON.parse(told.body)).toMatchObject({
      type: "prediction.succeeded",
      data: { object: { id: done.id } },
    });
  });

  it("requires an age of 18 with the adult gate, and none without it", async () => {
    const gated = { adult_attestation_required: true };
    const made = await create({ id: "acme/gated", ...chat, safety_requirements: gated });
    expect(made.safety_requirements).toMatchObject({ ...gated, minimum_age: 18 });
    const open = { adult_attestation_required: false };
    const changed = await ask("PATCH", "/acme/gated", { safety_requirements: open });
    expect(changed.body.safety_requirements).toMatchObject({ ...open, minimum_age: null });
  });

  it("keeps the fields of a schema in their order", async () => {
    const requested = { id: "acme/ordered", import: { provider: "replicas", name: "acme/fast-pictures" } };
    const namesOf = ({ operations }: OperatorModel) =>
      Object.keys(operations[0]?.input_schema.properties as object);
    const proposed = (await ask("POST", "", { ...requested, dry_run: true })).answer as {
      model: OperatorModel;
    };
    const names = ["model", "prompt", "aspect_ratio", "n", "seed", "output_format", "region"];
    expect(namesOf(proposed.model)).toEqual(names);
    await create(requested);
    const saved = (await ask("GET", "/acme/ordered")).body;
    expect(namesOf(saved)).toEqual(names);
    const [entry] = (await list(null, "?q=acme/ordered")).data;
    expect(Object.keys(entry?.operations[0]?.input_schema.properties as object)).toEqual(names);
    const schema = saved.operations[0]?.input_schema as { properties: object };
    const properties = Object.fromEntries(Object.entries(schema.properties).reverse());
    await ask("PATCH", "/acme/ordered", { input_schema: { ...schema, properties } });
    const reversed = namesOf((await ask("GET", "/acme/ordered")).body).slice(1, -1);
    expect(reversed).toEqual(names.slice(1, -1).reverse());
  });

  it("imports an endpoint of fal with its media and its unusual result", async () => {
    await create({ id: "acme/edit", import: { provider: "queue", name: "fal-ai/pictures/edit" } });
    fal.result = (origin) => ({ edited_picture: { url: `${origin}/files/out.png` } });
    const edit = { model: "acme/edit", prompt: "snow", image_urls: [smallImage] };
    expect(await mapped.run("/images/edits", edit)).toMatchObject({
      status: "succeeded",
      data: [{ width: 96 }],
    });
    expect(fal.created()[0]?.json()).toEqual({ prompt: "snow", image_urls: [smallImage] });
    const { body } = await mapped.post("/images/edits", { ...edit, aspect_ratio: "2:1" });
    expect(body.error).toMatchObject({ code: "invalid_parameter", param: "aspect_ratio" });
  });

  it("imports a model from the list of a server of OpenAI's API, with the template of its kind", async () => {
    const listed = (...data: object[]) =>
      openAi.trouble(/\/models$/, { status: 200, json: { object: "list", data } });
    listed({ id: "other" }, { id: "tiny-llm", context_length: 8_192 });
    const model = await create({ id: "acme/llm", import: { provider: "llms", name: "tiny-llm" } });
    expect(model).toMatchObject({
      regions: ["eu-frankfurt"],
      operations: [
        { api_type: "chat-completions", billing_unit: "token", limits: { contextWindowTokens: 8_192 } },
      ],
    });
    const { body } = await mapped.post("/chat/completions", {
      model: "acme/llm",
      messages,
      temperature: 0.1,
    });
    expect(body).toMatchObject({ model: "acme/llm", svc_region: "eu-frankfurt" });
    expect(openAi.created()[0]?.json()).toEqual({ model: "tiny-llm", messages, temperature: 0.1 });
    listed({ id: "tiny-llm" });
    const gone = await ask("POST", "", { id: "acme/no", import: { provider: "llms", name: "huge-llm" } });
    expect(gone.error).toMatchObject({ code: "model_not_found" });
    expect(gone.error?.message).toContain("It lists tiny-llm.");
    listed({ id: "omni-moderation-1" });
    const none = await ask("POST", "", {
      id: "acme/no",
      import: { provider: "llms", name: "omni-moderation-1" },
    });
    expect(none.error).toMatchObject({ code: "invalid_schema" });
  });

  it("takes a chat's maximum answer length from the upstream, not from the template", async () => {
    const long = { messages, max_tokens: 64_000 };
    const routes = [{ provider: "llms", upstream_model: "any", go_on_when: ["busy", "failed"] }];
    const plain = await create({
      id: "acme/long",
      template: { ...chat.template, model: "svc/chat-1" },
      regions: ["eu-frankfurt"],
      routes,
    });
    expect(plain).toMatchObject({ operations: [{ limits: { maxRequestBytes: 4_000_000 } }] });
    expect(JSON.stringify(plain)).not.toMatch(/Tokens"|32768/);
    expect((await mapped.post("/chat/completions", { model: "acme/long", ...long })).status).toBe(200);
    const routeOf = async (id: string) => {
      const { body: table } = await call(mapped.gateway, key, "GET", "/operator/routes");
      return (table.data as { models: string[] }[]).find((route) => route.models.includes(id));
    };
    expect(await routeOf("acme/long")).toMatchObject({ go_on_when: ["busy", "failed"] });

    const top_provider = { max_completion_tokens: 50_000 };
    openAi.trouble(/\/models$/, {
      status: 200,
      json: { object: "list", data: [{ id: "told", top_provider }] },
    });
    const facts = { thinks_silently: true, accepts_prefill: true };
    await create({ id: "acme/told", import: { provider: "llms", name: "told", ...facts } });
    const usual = ["busy", "down", "too_long", "failed", "slow"];
    expect(await routeOf("acme/told")).toMatchObject({
      ...facts,
      go_on_when: usual,
      continue_streams: false,
    });
    const refused = await mapped.post("/chat/completions", { model: "acme/told", ...long });
    expect(refused.body.error).toMatchObject({
      param: "max_tokens",
      message: expect.stringContaining("50000"),
    });
  });

  it("ends old routes when an id is used again", async () => {
    const requested = (upstream_model: string) => ({
      id: "acme/again",
      ...chat,
      regions: ["eu-frankfurt"],
      routes: [{ provider: "llms", upstream_model }],
    });
    await create(requested("before"));
    await ask("DELETE", "/acme/again");
    await create(requested("after"));
    openAi.seen.length = 0;
    await mapped.post("/chat/completions", { model: "acme/again", messages });
    expect(openAi.created()[0]?.json().model).toBe("after");
  });

  it.each([
    [
      { import: { provider: "replicas", name: "acme/llm-8b-chat" } },
      400,
      "invalid_schema",
      "it answers with text",
    ],
    [
      { import: { provider: "replicas", name: "acme/gone" } },
      404,
      "model_not_found",
      "replicas has no model",
    ],
    [{ import: { provider: "queue", name: "fal-ai/gone" } }, 404, "model_not_found", "queue has no model"],
    [{ import: { provider: "nobody", name: "x" } }, 400, "invalid_parameter", "no provider nobody"],
    [{}, 400, "invalid_parameter", "either template or import"],
    [{ ...chat, id: "svc/mine" }, 400, "invalid_parameter", "svc is the namespace"],
    [{ ...chat, id: "svc/chat-1" }, 409, "model_exists", "svc is the namespace"],
    [{ ...chat, accounts: ["acct_none"] }, 400, "invalid_parameter", "no account acct_none"],
    [
      { ...chat, template: { ...chat.template, model: "svc/tts-b-2" } },
      400,
      "operation_not_supported",
      "text-to-speech",
    ],
    [
      { ...chat, input_schema: { type: "object", properties: {} } },
      400,
      "invalid_schema",
      "needs a field messages",
    ],
    [{ ...chat, example: { messages: 1 } }, 400, "invalid_schema", "example does not fit"],
    [
      { ...chat, routes: [{ provider: "queue", upstream_model: "x" }] },
      400,
      "invalid_parameter",
      "does not support",
    ],
    [{ ...chat, billing_unit: "second" }, 400, "invalid_parameter", "billing_unit"],
  ])("refuses %j", async (requested, status, code, words) => {
    const refused = await ask("POST", "", { id: "acme/refused", ...requested });
    expect(refused).toMatchObject({ status, error: { code } });
    expect(refused.error?.message).toContain(words);
    expect((await ask("GET", "/acme/refused")).status).toBe(404);
  });

  it("can be made only by an operator, and two cannot have the same id", async () => {
    expect((await ask("GET", "", undefined, mapped.account.key)).error?.code).toBe("operator_required");
    await create({ id: "acme/once", ...chat });
    expect(await ask("POST", "", { id: "acme/once", ...chat })).toMatchObject({
      status: 409,
      error: { code: "model_exists" },
    });
  });

  it("are given to accounts found by name, without showing their contents", async () => {
    const find = async (query: string) =>
      (await call(mapped.gateway, key, "GET", `/operator/accounts?${query}`)).body.data as { name: string }[];
    const [found] = await find(`ids=${other.accountId},acct_gone`);
    expect(found).toEqual({
      ...{ id: other.accountId, object: "operator.account", name: expect.any(String), state: "active" },
      ...{ created_at: expect.any(String), members: 1, plan: null },
    });
    const part = encodeURIComponent(found?.name.slice(1).toUpperCase() ?? "");
    expect(await find(`q=${part}`)).toContainEqual(found);
    expect(await find(`q=${other.accountId}`)).toEqual([found]);
    expect(await find("q=no%25such_account")).toEqual([]);
  });

  it("can be seen and used only by the named accounts, and not by keys limited to other models", async () => {
    const { accountId, key: mine } = mapped.account;
    const before = await list(null);
    await create({ id: "acme/secret", ...chat, accounts: [accountId] });
    const chatAs = (bearer: string) =>
      call(mapped.gateway, bearer, "POST", "/chat/completions", { model: "acme/secret", messages });
    const [anybody, stranger, named] = [await list(null), await list(other.key), await list(mine)];
    expect(anybody.ids).toEqual(before.ids);
    expect(anybody.registry).toEqual(before.registry);
    expect(stranger.ids).toEqual(before.ids);
    expect(named.ids).toEqual([...before.ids, "acme/secret"]);
    expect(named.registry.sha256).not.toBe(before.registry.sha256);
    expect(named.headers.get("etag")).not.toBe(anybody.headers.get("etag"));
    expect(named.headers.get("cache-control")).toBe("private, max-age=60");
    expect(anybody.headers.get("vary")).toContain("Authorization");
    expect((await chatAs(other.key)).body.error).toMatchObject({ code: "model_not_found" });
    expect((await chatAs(mine)).status).toBe(200);
    const narrow = await mapped.gateway.createKey(accountId, { models: ["svc/chat-2"] });
    expect((await chatAs(narrow)).body.error).toMatchObject({ code: "model_not_allowed" });
    for (const [bearer, isNamed] of [
      [mine, true],
      [narrow, false],
      [other.key, false],
    ] as const) {
      const asked = await call(mapped.gateway, bearer, "POST", "/chat/completions", {
        model: "secret",
        messages,
      });
      const { code, message } = asked.body.error as { code: string; message: string };
      expect([code, message.includes("Did you mean acme/secret?")]).toEqual(["model_not_found", isNamed]);
    }
  });

  it("change the registry's hash, which returns to the specification's when they are deleted", async () => {
    const alone = createCatalog().list().registry;
    const before = (await list(null)).registry;
    await create({ id: "acme/counted", ...chat, regions: ["us-virginia", "eu-frankfurt"] });
    const { registry, data } = await list(null);
    expect(registry.model_count).toBe(before.model_count + 1);
    expect(registry.region_model_relations).toBe(before.region_model_relations + 2);
    expect(registry.revision).toMatch(/^\d{4}-\d\d-\d\d\.\d+$/);
    expect(registry.revision).not.toBe(before.revision);
    expect(new Set(data.map((model) => model.registry_revision))).toEqual(new Set([registry.revision]));
    expect(registry.official_model_count).toBe(alone.model_count);
    for (const { id } of (await ask("GET", "?managed_by=operator")).answer.data as OperatorModel[])
      expect((await ask("DELETE", `/${id}`)).status).toBe(200);
    expect((await list(null)).registry).toEqual(alone);
  });

  it("can rename and hide the specification's models, and change nothing else", async () => {
    const before = await list(null);
    expect((await ask("PATCH", "/svc/chat-1", { display_name: "House chat" })).body).toMatchObject({
      managed_by: "specification",
      display_name: "House chat",
    });
    await ask("PATCH", "/svc/chat-2", { hidden: true });
    const after = await list(null);
    expect(after.registry.sha256).toBe(before.registry.sha256);
    expect(after.registry).toMatchObject({
      model_count: 31,
      excluded_model_count: 1,
      official_model_count: 32,
    });
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(after.data[0]).toMatchObject({ id: "svc/chat-1", display_name: "House chat" });
    expect(after.ids).not.toContain("svc/chat-2");
    expect((await mapped.post("/chat/completions", { model: "svc/chat-2", messages })).status).toBe(200);
    expect((await ask("PATCH", "/svc/chat-1", { limits: {} })).error).toMatchObject({ param: "limits" });
    expect((await ask("DELETE", "/svc/chat-1")).error?.message).toContain("hide it instead of deleting it");
    await ask("PATCH", "/svc/chat-1", { display_name: null });
    await ask("PATCH", "/svc/chat-2", { hidden: false });
    expect((await list(null)).headers.get("etag")).toBe(before.headers.get("etag"));
  });

  it("can be restored to any earlier state", async () => {
    const undo = async () => {
      const { body } = await call(mapped.gateway, key, "GET", "/operator/changes?limit=1");
      const [change] = body.data as { id: string }[];
      return call(mapped.gateway, key, "POST", `/operator/changes/${change?.id}/undo`);
    };
    await create({ id: "acme/undo", ...chat, title: "First" });
    await ask("PATCH", "/acme/undo", { display_name: null, hidden: true, description: "Of a test." });
    expect((await undo()).status).toBe(200);
    expect((await ask("GET", "/acme/undo")).body).toMatchObject({
      revision: 3,
      display_name: "First",
      hidden: false,
      description: null,
    });
    await ask("DELETE", "/acme/undo");
    expect((await list(null)).ids).not.toContain("acme/undo");
    expect((await undo()).status).toBe(200);
    expect((await list(null)).ids).toContain("acme/undo");
    expect((await undo()).status).toBe(200);
    expect((await list(null)).ids).not.toContain("acme/undo");
  });

  it("are undone step by step, and redone", async () => {
    const changes = async () => {
      const { body } = await call(mapped.gateway, key, "GET", "/operator/changes?limit=50");
      const all = body.data as { id: string; target_id: string; undoable: boolean }[];
      return all.filter(({ target_id: id }) => id === "acme/steps");
    };
    const undo = (id = "") => call(mapped.gateway, key, "POST", `/operator/changes/${id}/undo`);
    const name = async () => (await ask("GET", "/acme/steps")).body.display_name;
    await create({ id: "acme/steps", ...chat, title: "one" });
    await ask("PATCH", "/acme/steps", { display_name: "two", description: "Second." });
    await ask("PATCH", "/acme/steps", { display_name: "three", description: "Third." });
    const [third, second, first] = await changes();
    expect([third?.undoable, second?.undoable, first?.undoable]).toEqual([true, false, false]);
    expect((await undo(second?.id)).body.error).toMatchObject({ code: "change_not_undoable" });
    const undone = [];
    for (const change of [third, second]) undone.push((await undo(change?.id)).body);
    expect(await name()).toBe("one");
    expect((await undo(third?.id)).body.error).toMatchObject({ code: "change_not_undoable" });
    expect((await changes()).filter(({ undoable }) => undoable).map(({ id }) => id)).toEqual([
      undone[1]?.id,
      first?.id,
    ]);
    for (const change of undone.reverse()) expect((await undo(String(change.id))).status).toBe(200);
    expect((await ask("GET", "/acme/steps")).body).toMatchObject({
      display_name: "three",
      description: "Third.",
    });
    await undo((await changes())[0]?.id);
    await ask("PATCH", "/acme/steps", { display_name: "other" });
    // A new change clears the redo list.
    const open = (await changes()).filter(({ undoable }) => undoable);
    expect(open).toHaveLength(1);
    await undo(open[0]?.id);
    expect(await name()).toBe("two");
    await ask("DELETE", "/acme/steps");
  });

  it("have revisions: a run keeps its own, and an old one can be restored", async () => {
    const made = await create({ id: "acme/waves", import: { provider: "replicas", name: "acme/wave-i2v" } });
    replicate.polls = 1_000;
    const input = { model: "acme/waves", prompt: "waves", image: smallImage };
    const { body: running } = await mapped.post("/videos", input);
    await replicate.next(/predictions\/r/);
    const [operation] = made.operations;
    const { input_schema: schema = {} } = operation ?? {};
    const { image: _, ...properties } = schema.properties as Record<string, object>;
    const narrower = { ...schema, properties, required: ["model", "prompt"] };
    const changed = await ask("PATCH", "/acme/waves", {
      input_schema: narrower,
      example: { prompt: "waves" },
      description: "Without a picture.",
    });
    expect(changed.body).toMatchObject({ revision: 2, operations: [{ schema_version: 2 }] });
    expect((await ask("PATCH", "/acme/waves", { description: "Shorter." })).body).toMatchObject({
      revision: 3,
      operations: [{ schema_version: 2 }],
    });
    expect((await ask("PATCH", "/acme/waves", { description: "Shorter." })).body.revision).toBe(3);
    const { data } = (await ask("GET", "/acme/waves/revisions")).answer as {
      data: Record<string, unknown>[];
    };
    expect(data.map(({ revision, running_predictions }) => [revision, running_predictions])).toEqual([
      [3, 0],
      [2, 0],
      [1, 1],
    ]);
    const restored = await ask("POST", "/acme/waves/revisions/1/restore");
    expect(restored.body).toMatchObject({ revision: 4, operations: [{ schema_version: 3 }] });
    expect(restored.body.operations[0]?.input_schema).toEqual(schema);
    expect((await ask("POST", "/acme/waves/revisions/9/restore")).error?.code).toBe("revision_not_found");

    const left = await ask("DELETE", "/acme/waves");
    expect(left).toMatchObject({ status: 202, answer: { deleted: false, running_predictions: 1 } });
    expect((await ask("GET", "/acme/waves")).body).toMatchObject({
      state: "leaving",
      running_predictions: 1,
    });
    expect((await mapped.post("/videos", input)).body.error).toMatchObject({ code: "model_not_found" });
    replicate.end = { status: "succeeded", output: "ORIGIN/files/out.mp4" };
    replicate.polls = 0;
    expect(await mapped.ended(String(running.id))).toMatchObject({ status: "succeeded", sandbox: false });
    expect((await ask("GET", "/acme/waves")).error?.code).toBe("model_not_found");
  });
});
