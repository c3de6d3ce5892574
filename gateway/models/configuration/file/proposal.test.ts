import { beforeAll, describe, expect, it } from "vitest";
import * as published from "#gateway/models/configuration/models/testing/published.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const providersKey = "sk-of-the-provider-0001";

describe("a file that is proposed", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const upstream = shared(() =>
    startUpstream((seen, response) => {
      if (seen.headers.authorization !== `Bearer ${providersKey}`)
        return sendJson(response, { error: { message: "No such key" } }, 401);
      if (seen.path === "/v1/models")
        return sendJson(response, {
          data: [
            { id: "vendor/small:free", name: "Small", context_length: 8_000 },
            { id: "vendor/large", name: "Large", top_provider: { max_completion_tokens: 4_000 } },
            { id: "vendor/omni-moderation" },
          ],
        });
      const message = { role: "assistant", content: `Hello from ${seen.json().model}` };
      sendJson(response, { choices: [{ index: 0, finish_reason: "stop", message }] });
    }),
  );
  const replicate = shared(async () => {
    const server = await startReplicateServer();
    server.models = { "acme/fast-pictures": published.replicatePictures };
    return server;
  });
  let account: TestAccount;
  let operator: string;
  beforeAll(async () => {
    account = await gateway.createAccount();
    operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
  });
  const propose = (body: object) => call(gateway, operator, "POST", "/operator/file/proposal", body);
  const ofKey = (more: object = {}) =>
    propose({
      from: "openrouter",
      key: providersKey,
      base_url: `${upstream.origin}/v1`,
      allow_private: true,
      ...more,
    });

  it("lists what a key can run", async () => {
    const all = await ofKey();
    expect(all.body).toMatchObject({ has_more: false, file: { routes: [], models: {} } });
    expect((all.body.listed as { id: string }[]).map(({ id }) => id)).toEqual([
      "vendor/small:free",
      "vendor/large",
      "vendor/omni-moderation",
    ]);
    expect((await ofKey({ search: "large" })).body.listed).toMatchObject([{ id: "vendor/large" }]);
  });

  it("has the chosen models with their forms, runs under the former names, and never has the key", async () => {
    const proposed = await ofKey({ models: ["vendor/small:free", "vendor/large", "vendor/omni-moderation"] });
    expect(JSON.stringify(proposed.body)).not.toContain(providersKey);
    expect(proposed.body).toMatchObject({
      file: {
        models: {
          "vendor/small-free": { entry: { context_window_tokens: 8_000 } },
          "vendor/large": { entry: { max_output_tokens: 4_000 } },
        },
        aliases: { "vendor/small:free": { models: ["vendor/small-free"] } },
      },
      findings: expect.arrayContaining([
        expect.objectContaining({
          place: "vendor/omni-moderation",
          reason: expect.stringContaining("moderation"),
        }),
      ]),
    });
    const { file } = proposed.body;
    const keys = { OPENROUTER_API_KEY: providersKey };
    const imported = await call(gateway, operator, "POST", "/operator/file", { file, keys });
    expect(imported.body).toMatchObject({ created: ["openrouter"], aliases: ["vendor/small:free"] });
    const answer = await call(gateway, account.key, "POST", "/chat/completions", {
      model: "vendor/small:free",
      messages: [{ role: "user", content: "Hello" }],
    });
    expect(JSON.stringify(answer.body)).toContain("Hello from vendor/small:free");
  });

  it("has the form of a picture model as Replicate describes it", async () => {
    const proposed = await propose({
      from: "replicate",
      key: providersKey,
      base_url: `${replicate.origin}/v1`,
      allow_private: true,
      models: ["acme/fast-pictures", "acme/none"],
    });
    const { file, findings } = proposed.body as {
      file: Record<string, Record<string, object>>;
      findings: object[];
    };
    expect(file.models?.["acme/fast-pictures"]).toMatchObject({
      source: { kind: "import", provider: "replicate", name: "acme/fast-pictures" },
      entry: { operations: [{ api_type: "image-generation" }] },
    });
    expect(findings).toContainEqual(expect.objectContaining({ place: "acme/none" }));
    const dry = { file, keys: { REPLICATE_API_TOKEN: providersKey }, dry_run: true };
    expect((await call(gateway, operator, "POST", "/operator/file", dry)).body).toMatchObject({
      models: ["acme/fast-pictures"],
      problems: [],
    });
  });

  it("is refused for an address inside, and for a key that the provider refuses", async () => {
    const inside = await ofKey({ allow_private: false });
    expect([inside.status, inside.body.error]).toMatchObject([400, { code: "private_address_not_allowed" }]);
    const wrong = await ofKey({ key: "sk-wrong-0002" });
    expect([wrong.status, wrong.body.error]).toMatchObject([502, { code: "provider_test_failed" }]);
    expect(JSON.stringify(wrong.body)).not.toContain("sk-wrong");
    expect((await propose({ from: "openrouter" })).body.error).toMatchObject({ param: "key" });
    const many = Array.from({ length: 21 }, (_, at) => `vendor/${at}`);
    expect((await ofKey({ models: many })).status).toBe(400);
  });

  it("is made from LiteLLM's configuration, whose keys in clear it neither has nor answers", async () => {
    const text = `model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-in-clear-0003 }
litellm_settings: { max_budget: 5, cache: true }`;
    const proposed = await propose({ from: "litellm", text });
    expect(proposed.body).toMatchObject({
      file: { aliases: { "gpt-4o": { models: ["openai/gpt-4o"] } } },
      findings: [
        { place: "api_key of openai", todo: "Enter it as OPENAI_KEY when you import the file." },
        { place: "litellm_settings.cache" },
      ],
      calls: [{ method: "PATCH", path: "/v1/account/budgets" }],
    });
    expect(JSON.stringify(proposed.body)).not.toContain("sk-in-clear");
    const connected = { ...(proposed.body.file as object), models: {}, routes: [], aliases: {} };
    const keys = { OPENAI_KEY: "sk-other" };
    expect((await call(gateway, operator, "POST", "/operator/file", { file: connected, keys })).status).toBe(
      200,
    );
    expect((await propose({ from: "litellm", text })).body.findings).toContainEqual(
      expect.objectContaining({ todo: expect.stringContaining("openai exists here and keeps its key") }),
    );
    expect((await propose({ from: "litellm", text: "services: {}" })).body.error).toMatchObject({
      param: "text",
    });
    expect((await propose({ from: "litellm" })).body.error).toMatchObject({ param: "text" });
    expect((await propose({ from: "litellm", text: "x".repeat(300_000) })).status).toBe(400);
  });
});
