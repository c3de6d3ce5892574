import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { proposalLimits } from "#contract/operator/constants.ts";
import { shapeOf } from "#gateway/models/providers/file/check.ts";
import { type Converted, convertLiteLlm } from "./convert.ts";

const everyField = readFileSync(path.resolve(import.meta.dirname, "testing/every-field.yaml"), "utf8");

const convert = (text: string, environment: Record<string, string> = {}): Converted =>
  convertLiteLlm(text, { region: "us-virginia", today: "2026-11-29", environment });

/** A configuration with these entries of `model_list`, each as `name: parameters`. */
const listOf = (entries: Record<string, object>[], more: object = {}) =>
  JSON.stringify({
    model_list: entries.flatMap((one) =>
      Object.entries(one).map(([model_name, litellm_params]) => ({ model_name, litellm_params })),
    ),
    ...more,
  });

const environment = { STREAM_SECONDS: "20", OLLAMA_API_BASE: "http://localhost:11434" };

describe("a configuration with every documented field", () => {
  const converted = convert(everyField, environment);
  const { file, findings } = converted;

  it("becomes a file that an import can read", () => {
    expect(() => shapeOf(file, "The file")).not.toThrow();
    expect(Object.keys(file.models).toSorted()).toEqual([
      "anthropic/spare",
      "groq/short",
      "hosted_vllm/vllm-models",
      "jina_ai/order",
      "ollama/at-home",
      "openai/pictures",
      "openai/talk",
      "openai/thinking",
      "openai/vectors",
      "openai/words",
    ]);
  });

  it("carries keys, limits, weights, parameters and costs over", () => {
    expect(file.providers.openai).toEqual({
      protocol: "openai",
      base_url: "https://api.openai.com/v1",
      preset: "openai",
      credentials: {
        "us-virginia": {
          keys: [{ name: "main", env: "OPENAI_API_KEY", per_minute: 700, concurrency: 25 }],
        },
      },
      timeouts_ms: { answer: 12_500, idle: 20_000 },
    });
    expect(file.providers["azure-eu-openai-azure-com"]).toMatchObject({
      base_url: "https://eu.openai.azure.com/openai/v1",
      preset: "azure-openai",
      credentials: { "us-virginia": { keys: [{ env: "AZURE_KEY_EU", per_minute: 200 }] } },
      timeouts_ms: { answer: 30_000, idle: 20_000 },
    });
    expect(file.providers["openai-2"]?.credentials).toEqual({ "us-virginia": { env: "SET_IN_THE_FILE" } });
    expect(file.routes.filter(({ models }) => models.includes("openai/talk"))).toMatchObject([
      {
        provider: "openai",
        upstream_model: "gpt-4o",
        weight: 3,
        priority: 1,
        fields: {
          omit: ["user"],
          defaults: { temperature: 0.2, max_tokens: 400, stop: ["END"] },
          set: { safe_prompt: true },
        },
      },
      { upstream_model: "gpt-4o-eu", weight: 1, priority: 2 },
    ]);
    expect(file.models["openai/talk"]?.entry).toMatchObject({
      context_window_tokens: 128_000,
      max_output_tokens: 16_384,
      input_modalities: ["text", "image", "audio", "file"],
    });
    const priceOf = (id: string) => file.prices?.find(({ model }) => model === id);
    expect(priceOf("openai/talk")?.components).toEqual([
      { kind: "input_token", per: 1_000_000, rate: "2.5" },
      { kind: "output_token", per: 1_000_000, rate: "10" },
    ]);
    expect(priceOf("openai/talk")?.provider).toBe("openai");
    expect(priceOf("groq/short")?.components).toContainEqual({
      kind: "output_token",
      per: 1_000_000,
      rate: expect.any(String),
      when: { context_above: 200_000 },
    });
    expect(priceOf("openai/pictures")?.components).toEqual([{ kind: "image", per: 1, rate: "0.04" }]);
  });

  it("makes aliases of names, fallbacks and groups", () => {
    expect(file.aliases).toMatchObject({
      talk: { models: ["openai/talk", "anthropic/spare"] },
      "gpt-4": { models: ["openai/talk", "anthropic/spare"] },
      "short-name": { models: ["openai/talk", "anthropic/spare"] },
      short: { models: ["groq/short", "anthropic/spare", "openai/talk"] },
      old: { models: ["groq/short", "anthropic/spare", "openai/talk"] },
      vectors: { models: ["openai/vectors"] },
    });
    expect(file.aliases).not.toHaveProperty("nobody");
  });

  it("lists the calls that set the limits of an account", () => {
    expect(converted.calls).toEqual([
      {
        method: "PATCH",
        path: "/v1/account/budgets",
        body: { budgets: [{ amount: "100.5", period: "month", hard: true }] },
      },
      {
        method: "POST",
        path: "/v1/keys",
        body: {
          name: "From LiteLLM",
          scopes: ["inference"],
          requests_per_minute: 60,
          tokens_per_minute: 1_000,
          max_concurrency: 4,
          budgets: [{ amount: "5", period: "day", hard: true }],
          models: ["openai/talk"],
        },
      },
    ]);
  });

  it("names every other field, with a reason that fits", () => {
    const carried = new Set(
      `model api_key api_base base_url rpm max_parallel_requests weight order timeout stream_timeout temperature top_p
      max_tokens seed stop presence_penalty frequency_penalty user extra_body additional_drop_params
      custom_llm_provider litellm_credential_name mode max_input_tokens max_output_tokens supports_vision
      supports_audio_input supports_pdf_input fallbacks default_fallbacks context_window_fallbacks model_alias_map
      model_group_alias request_timeout max_budget budget_duration default_key_generate_params
      global_max_parallel_requests tpm_limit`.split(/\s+/),
    );
    const places = new Set(findings.map(({ place }) => place));
    const given = parse(everyField) as Record<string, unknown>;
    const named = (place: string) => [...places].some((one) => one === place || one.startsWith(`${place}.`));
    const sections = ["litellm_settings", "router_settings", "general_settings"];
    const list = given.model_list as Record<string, object>[];
    const first = ["litellm_params", "model_info"].flatMap((section) =>
      Object.keys(list[0]?.[section] ?? {}).map((name) => `model_list[0].${section}.${name}`),
    );
    const all = [
      ...first,
      ...sections.flatMap((section) =>
        Object.keys(given[section] as object).map((name) => `${section}.${name}`),
      ),
      ...Object.keys(given).filter((name) => name !== "model_list" && name !== "credential_list"),
    ];
    const missing = all.filter((place) => !named(place) && !carried.has(place.split(".").at(-1) ?? ""));
    expect(missing.filter((place) => !/cost|sections/.test(place) && !sections.includes(place))).toEqual([]);
    expect(findings.filter(({ reason }) => reason.includes("does not know"))).toEqual([]);
    for (const place of [
      "model_list[0].litellm_params.tpm",
      "model_list[11].litellm_params.model",
      "model_list[12].model_info.mode",
      "model_list[13].model_name",
      "model_group_alias.nobody",
      "fallbacks of talk",
      "rpm at openai",
      "environment_variables.REDIS_HOST",
      "include",
    ])
      expect(places).toContain(place);
  });

  it("never writes a key or another secret into the file or the findings", () => {
    expect(converted.keys.map(({ variable, secret }) => [variable, secret])).toEqual([
      ["GROQ_KEY", "sk-hidden-in-clear-1"],
      ["SET_IN_THE_FILE", "sk-hidden-in-clear-3"],
      ["OPENAI_KEY", "sk-hidden-in-clear-2"],
    ]);
    const { keys: _, ...rest } = converted;
    expect(JSON.stringify(rest)).not.toContain("hidden-");
  });
});

it.each<[string, string, RegExp]>([
  ["is too large", `model_list: []\n# ${"x".repeat(proposalLimits.textBytes)}`, /larger than 256 kB/],
  ["is not YAML", "model_list: [ {a: b\n  - : :", /not YAML: .* at line 1, column 19\.$/],
  ["is another file", "services: {}", /no model_list/],
  [
    "grows by its aliases",
    `a: &a [1,1,1,1,1,1,1,1,1,1]\n${"bcdefgh"
      .split("")
      .map((one, at) => `${one}: &${one} [${Array(10).fill(`*${"abcdefg"[at]}`).join(",")}]`)
      .join("\n")}\nmodel_list: []`,
    /repeats values .* too often/,
  ],
  ["repeats values", `a: &a 1\nb: [${"*a,".repeat(301)}]\nmodel_list: []`, /repeats values .* too often/],
  ["has too many deployments", `model_list: [${"{},".repeat(2_001)}]`, /more than 2000 deployments/],
  ["is nested too deeply", `model_list: ${"[".repeat(100_000)}`, /nested too deeply/],
])("refuses a configuration that %s", (_, text, problem) => {
  expect(() => convert(text)).toThrow(problem);
});

it("quotes nothing of a text that cannot be read", () => {
  const text = 'model_list:\n  - api_key: "sk-hidden\n  - {';
  expect(() => convert(text)).toThrow(/not YAML/);
  expect(() => convert(text)).not.toThrow(/sk-hidden/);
});

it("keeps a name that is already an id, and gives every other name an alias", () => {
  const { file } = convert(
    listOf([
      { "acme/talk": { model: "openai/a" } },
      { "Fast One!": { model: "openai/b" } },
      { "x:1": { model: "c" } },
    ]),
  );
  expect(Object.keys(file.models)).toEqual(["acme/talk", "openai/fast-one-", "openai/x-1"]);
  expect(file.aliases).toEqual({ "x:1": { models: ["openai/x-1"] } });
});

it("lets well-known models read pictures, unless the configuration says otherwise, and names the others", () => {
  const of = (name: string, model: string, supports_vision?: boolean) => ({
    model_name: name,
    litellm_params: { model },
    ...(supports_vision !== undefined && { model_info: { supports_vision } }),
  });
  const { file, findings } = convert(
    JSON.stringify({
      model_list: [
        of("gpt-4o", "openai/gpt-4o-mini"),
        of("claude", "anthropic/claude-sonnet-4-5"),
        of("gemini", "openrouter/google/gemini-2.5-pro"),
        of("talks", "openai/gpt-4o-audio-preview"),
        of("blind", "openai/gpt-5", false),
        of("own", "openai/my-own"),
        of("told", "openai/my-own", true),
        of("vectors", "openai/text-embedding-3-small"),
      ],
    }),
  );
  const reads = Object.entries(file.models).map(([id, { entry }]) => [id, entry?.input_modalities?.join()]);
  expect(Object.fromEntries(reads)).toEqual({
    "openai/gpt-4o": "text,image",
    "anthropic/claude": "text,image",
    "openrouter/gemini": "text,image",
    "openai/talks": undefined,
    "openai/blind": undefined,
    "openai/own": undefined,
    "openai/told": "text,image",
    "openai/vectors": undefined,
  });
  expect(findings.filter(({ reason }) => reason.includes("text only"))).toMatchObject([
    { place: "openai/talks, openai/own", todo: expect.stringContaining("supports_vision: true") },
  ]);
});

it("gives no other model the name that programs use, and no key in clear a variable that is named", () => {
  const { file, keys } = convert(
    listOf([
      { "gpt-4o": { model: "openai/gpt-4o", api_key: "os.environ/OPENAI_KEY" } },
      { "openai/gpt-4o": { model: "openai/gpt-4o-mini", api_key: "sk-other" } },
    ]),
  );
  expect(Object.keys(file.models)).toEqual(["openai/gpt-4o-2", "openai/gpt-4o"]);
  expect(file.aliases).toEqual({ "gpt-4o": { models: ["openai/gpt-4o-2"] } });
  expect(keys.map(({ variable }) => variable)).toEqual(["OPENAI_KEY_2"]);
});

it("keeps a fallback for long inputs to long inputs", () => {
  const { file } = convert(
    listOf([{ a: { model: "openai/a" } }, { b: { model: "openai/b" } }], {
      litellm_settings: { context_window_fallbacks: [{ a: ["b"] }] },
    }),
  );
  expect(file.aliases?.a).toEqual({ models: ["openai/a", "openai/b"], go_on_when: ["too_long"] });
});

it("draws as LiteLLM does: by weight, else by rpm, within the weights of a route", () => {
  const sharesOf = (...params: object[]) =>
    convert(listOf(params.map((more, at) => ({ a: { model: `openai/${at}`, ...more } })))).file.routes.map(
      ({ weight }) => weight,
    );
  expect(sharesOf({ rpm: 60 }, { rpm: 60_000 }, {})).toEqual([1, 1_000, 0]);
  expect(sharesOf({ weight: 0.25 }, { weight: 0.75 })).toEqual([333, 1_000]);
  expect(sharesOf({}, {})).toEqual([undefined, undefined]);
});

it("is not misled by names of JavaScript", () => {
  const text =
    '{"model_list":[{"model_name":"constructor","litellm_params":{"model":"openai/a","__proto__":{"x":1}}},{"model_name":"toString","litellm_params":{"model":"constructor/b"}}],"router_settings":{"fallbacks":[{"__proto__":["a"]}],"model_group_alias":{"__proto__":"constructor"}},"environment_variables":{}}';
  const { file, findings } = convert(text);
  expect(Object.keys(file.models)).toEqual(["openai/constructor"]);
  expect(findings.map(({ place }) => place)).toContain("model_list[1].litellm_params.model");
});
