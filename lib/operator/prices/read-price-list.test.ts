import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { readPriceList } from "./read-price-list.ts";

function read(text: string) {
  const list = readPriceList(english("prices"), text);
  if (typeof list === "string") throw new Error(list);
  return new Map(list.prices.map((price) => [price.name, price]));
}

const liteLlm = `{
  "sample_spec": {"input_cost_per_token": 0.0, "mode": "one of: chat"},
  "gpt-5": {
    "mode": "chat", "litellm_provider": "openai", "max_tokens": 128000,
    "input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05, "cache_read_input_token_cost": 1.25e-07,
    "input_cost_per_token_priority": 2.5e-06, "output_cost_per_token_batches": 5e-06,
    "input_cost_per_audio_token": 4e-05, "input_cost_per_image": 0.0,
    "search_context_cost_per_query": {"search_context_size_low": 0.01, "search_context_size_high": 0.01}
  },
  "gemini/gemini-pro": {
    "mode": "chat", "litellm_provider": "gemini", "input_cost_per_token": 1.25e-06,
    "input_cost_per_token_above_200k_tokens": 2.5e-06, "output_cost_per_token_above_200k_tokens_priority": 0.00001875,
    "search_context_cost_per_query": {"search_context_size_low": 0.01, "search_context_size_high": 0.05}
  },
  "dashscope/qwen": {
    "mode": "chat", "litellm_provider": "dashscope",
    "tiered_pricing": [
      {"range": [0, 32000.0], "input_cost_per_token": 1.2e-06},
      {"range": [32000.0, 128000.0], "input_cost_per_token": 2.4e-06}
    ]
  },
  "1024-x-1024/dall-e": {"mode": "image_generation", "litellm_provider": "openai", "output_cost_per_image": 0.04},
  "hd/1024-x-1792/dall-e": {"mode": "image_generation", "litellm_provider": "openai", "input_cost_per_image": 0.12},
  "voice": {"mode": "audio_speech", "litellm_provider": "openai", "input_cost_per_character": 1.5e-05},
  "ear": {"mode": "audio_transcription", "litellm_provider": "openai", "input_cost_per_second": 0.0001, "output_cost_per_second": 0.0},
  "film": {"mode": "video_generation", "litellm_provider": "x", "output_cost_per_second": 0.10, "output_cost_per_second_1080p": 0.2},
  "__proto__": {"mode": "chat", "input_cost_per_token": "words", "output_cost_per_pixel": 1e-9}
}`;

describe("LiteLLM's list", () => {
  const prices = read(liteLlm);

  it("gives exact rates per million tokens, with the conditions in the names of its fields", () => {
    expect(prices.get("gpt-5")).toMatchObject({ provider: "openai", apiType: "chat-completions" });
    expect(prices.get("gpt-5")?.components).toEqual([
      { kind: "input_token", per: 1_000_000, rate: "1.25" },
      { kind: "output_token", per: 1_000_000, rate: "10" },
      { kind: "cached_input_token", per: 1_000_000, rate: "0.125" },
      { kind: "input_token", per: 1_000_000, rate: "2.5", when: { service_tier: "priority" } },
      { kind: "audio_input_token", per: 1_000_000, rate: "40" },
      { kind: "search", per: 1, rate: "0.01" },
    ]);
    expect(prices.get("gemini/gemini-pro")?.components).toEqual([
      { kind: "input_token", per: 1_000_000, rate: "1.25" },
      { kind: "input_token", per: 1_000_000, rate: "2.5", when: { context_above: 200_000 } },
      {
        kind: "output_token",
        per: 1_000_000,
        rate: "18.75",
        when: { service_tier: "priority", context_above: 200_000 },
      },
    ]);
    expect(prices.get("dashscope/qwen")?.components).toEqual([
      { kind: "input_token", per: 1_000_000, rate: "1.2" },
      { kind: "input_token", per: 1_000_000, rate: "2.4", when: { context_above: 32_000 } },
    ]);
  });

  it("gives media their own units, and one price to a model with several entries for sizes", () => {
    expect(prices.get("dall-e")?.components).toEqual([
      { kind: "image", per: 1, rate: "0.04", when: { size: "1024x1024" } },
      { kind: "image", per: 1, rate: "0.12", when: { size: "1024x1792", quality: "hd" } },
    ]);
    expect(prices.get("voice")?.components).toEqual([{ kind: "character", per: 1_000_000, rate: "15" }]);
    expect(prices.get("ear")?.components).toEqual([{ kind: "second", per: 1, rate: "0.0001" }]);
    expect(prices.get("film")?.components).toEqual([
      { kind: "second", per: 1, rate: "0.1" },
      { kind: "second", per: 1, rate: "0.2", when: { resolution: "1080P" } },
    ]);
  });

  it("distinguishes input images from output images, and uses one rate for each", () => {
    const list = read(`{
      "gemini/image": {"mode": "image_generation", "litellm_provider": "gemini", "input_cost_per_image": 0.0011,
        "output_cost_per_image": 0.134, "input_cost_per_token": 2e-06},
      "gpt-image": {"mode": "image_edit", "litellm_provider": "openai", "input_cost_per_image": 0.04},
      "veo": {"mode": "video_generation", "litellm_provider": "x", "output_cost_per_second": 0.4,
        "output_cost_per_video_per_second": 0.5}
    }`);
    expect(list.get("gemini/image")?.components).toEqual([
      { kind: "input_image", per: 1, rate: "0.0011" },
      { kind: "image", per: 1, rate: "0.134" },
      { kind: "input_token", per: 1_000_000, rate: "2" },
    ]);
    expect(list.get("gpt-image")?.components).toEqual([{ kind: "image", per: 1, rate: "0.04" }]);
    expect(list.get("veo")?.components).toEqual([{ kind: "second", per: 1, rate: "0.4" }]);
    expect(list.get("veo")?.notUnderstood).toEqual([
      { field: "second", value: "0.5", reason: "the list also has 0.4 for the same usage" },
    ]);
  });

  it("names every field that it does not understand, except fields with a rate of zero", () => {
    const fields = (name: string) => prices.get(name)?.notUnderstood.map(({ field }) => field);
    expect(fields("gpt-5")).toEqual(["output_cost_per_token_batches"]);
    expect(fields("gemini/gemini-pro")).toEqual(["search_context_cost_per_query"]);
    expect(fields("ear")).toEqual([]);
    expect(fields("__proto__")).toEqual(["input_cost_per_token", "output_cost_per_pixel"]);
    expect(prices.has("sample_spec")).toBe(false);
  });
});

describe("OpenRouter's list", () => {
  it("gives exact rates, and leaves out usage that is not charged separately", () => {
    const prices = read(`{"data": [
      {"id": "openai/gpt-5", "pricing": {"prompt": "0.00000125", "completion": "0.00001", "request": "0", "image": "0",
        "web_search": "0.01", "internal_reasoning": "0", "input_cache_read": "0.000000125", "audio": "0.00004"}},
      {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
      {"id": "free", "pricing": {"prompt": "0", "completion": "0"}}, null, {"id": 1}
    ]}`);
    expect(prices.get("openai/gpt-5")?.components).toEqual([
      { kind: "input_token", per: 1_000_000, rate: "1.25" },
      { kind: "output_token", per: 1_000_000, rate: "10" },
      { kind: "search", per: 1, rate: "0.01" },
      { kind: "cached_input_token", per: 1_000_000, rate: "0.125" },
      { kind: "audio_input_token", per: 1_000_000, rate: "40" },
    ]);
    expect(prices.get("openai/gpt-5")?.notUnderstood).toEqual([]);
    expect(prices.get("openrouter/auto")?.components).toEqual([]);
    expect(prices.get("openrouter/auto")?.notUnderstood).toHaveLength(2);
    expect(prices.get("free")?.components.map(({ rate }) => rate)).toEqual(["0", "0"]);
    expect([...prices.keys()]).toEqual(["openai/gpt-5", "openrouter/auto", "free"]);
  });
});

it("explains why a text is not a price list", () => {
  for (const text of ["", "[", "[]", "{}", "12", '{"data": []}', '{"a": 1}'])
    expect(typeof readPriceList(english("prices"), text), text).toBe("string");
});

it("reads a list of ten thousand models in linear time", () => {
  const entry =
    '{"mode": "chat", "litellm_provider": "x", "input_cost_per_token": 1e-06, "odd_cost": 1, "notes": "…"}';
  const names = Array.from({ length: 10_000 }, (_, n) => `"a/b/c/d/${n}": ${entry}`);
  const startedAt = performance.now();
  expect(read(`{${names.join(",")}}`).size).toBe(10_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
