import { expect, it } from "vitest";
import type { PriceKind } from "#contract/money/constants.ts";
import { decimalText } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { bookOf } from "#gateway/billing/prices/book.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { pricedRun, type RunDetail, usageLines } from "./lines.ts";

/** US dollars, copied by hand from three providers' price pages of autumn 2025. */
const million = (kind: PriceKind, rate: string, when?: PriceComponent["when"]) => ({
  kind,
  per: 1_000_000,
  rate,
  ...(when && { when }),
});
const long = { context_above: 200_000 };
const published: Record<string, PriceComponent[]> = {
  "openai/gpt-4o": [
    million("input_token", "2.50"),
    million("cached_input_token", "1.25"),
    million("output_token", "10.00"),
  ],
  "openai/dall-e-3": [
    { kind: "image", per: 1, rate: "0.040", when: { size: "1024x1024" } },
    { kind: "image", per: 1, rate: "0.080", when: { size: "1024x1792" } },
    { kind: "image", per: 1, rate: "0.080", when: { quality: "hd", size: "1024x1024" } },
    { kind: "image", per: 1, rate: "0.120", when: { quality: "hd", size: "1024x1792" } },
  ],
  "openai/whisper-1": [{ kind: "second", per: 60, rate: "0.006" }],
  "openai/tts-1": [million("character", "15.00")],
  "anthropic/claude-sonnet-4-5": [
    million("input_token", "3"),
    million("cache_write_token", "3.75"),
    million("cached_input_token", "0.30"),
    million("output_token", "15"),
    million("input_token", "6", long),
    million("cache_write_token", "7.50", long),
    million("cached_input_token", "0.60", long),
    million("output_token", "22.50", long),
  ],
  "google/gemini-2.5-pro": [
    million("input_token", "1.25"),
    million("output_token", "10.00"),
    million("input_token", "2.50", long),
    million("output_token", "15.00", long),
  ],
  "google/veo-3": [
    { kind: "second", per: 1, rate: "0.40", when: { audio: true } },
    { kind: "second", per: 1, rate: "0.20" },
  ],
};
const book = bookOf(
  "USD",
  Object.entries(published).map(([model, components]) => ({
    id: `price_${model}`,
    accountId: null,
    model,
    apiType: "any",
    provider: null,
    region: null,
    components,
    source: "console" as const,
    effectiveAtMs: 0,
  })),
  [],
);

function costOf(model: string, usage: Usage, detail: RunDetail): string | null {
  const { priced } = pricedRun(book, {
    runId: "gen_1",
    accountId: "acct_1",
    keyId: null,
    userId: null,
    model,
    apiType: "any",
    provider: "direct",
    region: "us-virginia",
    admittedAtMs: 1,
    sandbox: false,
    metadata: null,
    batchId: null,
    lines: usageLines(usage, detail),
  });
  return priced.cost && decimalText(priced.cost.amount);
}

const chat = (model: string, prompt: number, completion: number, details: object = {}) =>
  costOf(
    model,
    { unit: "token", quantity: prompt + completion },
    { tokens: { prompt_tokens: prompt, completion_tokens: completion, ...details } },
  );
const image = (size: string, quality: string, count: number) =>
  costOf("openai/dall-e-3", { unit: "generation", quantity: count }, { input: { size, quality } });

it.each([
  // 1200 × 2.50/M + 350 × 10/M
  ["a chat", "0.0065", () => chat("openai/gpt-4o", 1_200, 350)],
  // 976 × 2.50/M + 1024 × 1.25/M + 500 × 10/M
  [
    "a chat that read the cache",
    "0.00872",
    () => chat("openai/gpt-4o", 2_000, 500, { prompt_tokens_details: { cached_tokens: 1_024 } }),
  ],
  ["two square pictures", "0.08", () => image("1024x1024", "standard", 2)],
  ["a tall one of high quality", "0.12", () => image("1024x1792", "hd", 1)],
  // 90.5 s × 0.006/60 s
  ["a transcription", "0.00905", () => costOf("openai/whisper-1", { unit: "second", quantity: 90.5 }, {})],
  // 1234 × 15/M
  ["speech", "0.01851", () => costOf("openai/tts-1", { unit: "character", quantity: 1_234 }, {})],
  // 12 × 3/M + 10000 × 0.30/M + 2000 × 3.75/M + 400 × 15/M
  [
    "a message that read and wrote the cache",
    "0.016536",
    () =>
      chat("anthropic/claude-sonnet-4-5", 12_012, 400, {
        prompt_tokens_details: { cached_tokens: 10_000, cache_write_tokens: 2_000 },
      }),
  ],
  // 250000 × 6/M + 1000 × 22.50/M
  ["a message with a long context", "1.5225", () => chat("anthropic/claude-sonnet-4-5", 250_000, 1_000)],
  // 200000 × 1.25/M + (300 + 700) × 10/M
  [
    "a chat that thought, at the edge of a long context",
    "0.26",
    () =>
      chat("google/gemini-2.5-pro", 200_000, 1_000, { completion_tokens_details: { reasoning_tokens: 700 } }),
  ],
  // 8 s × 0.40
  [
    "a video with sound",
    "3.2",
    () => costOf("google/veo-3", { unit: "second", quantity: 8 }, { input: { generate_audio: true } }),
  ],
])("%s costs %s, as calculated on paper", (_, onPaper, cost) => {
  expect(cost()).toBe(onPaper);
});
