import { expect, it } from "vitest";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { bookOf } from "#gateway/billing/prices/book.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import { pricedRun, type RunDetail, usageLines } from "./lines.ts";

const kinds = (usage: Usage, detail?: RunDetail) =>
  Object.fromEntries(usageLines(usage, detail).map(({ kind, quantity }) => [kind, quantity]));

it("separates input and output tokens, with hidden reasoning in the output", () => {
  const tokens = { prompt_tokens: 12 };
  expect(kinds({ unit: "token", quantity: 17 }, { tokens })).toEqual({
    input_token: 12,
    output_token: 5,
  });
  expect(kinds({ unit: "token", quantity: 12 }, { tokens })).toEqual({ input_token: 12 });
  expect(kinds({ unit: "token", quantity: 17 })).toEqual({ token: 17 });
});

it("separates seconds by resolution", () => {
  const input = { resolution: "720P" };
  expect(kinds({ unit: "second", quantity: 2.5 }, { input })).toEqual({ "second:720P": 2.5 });
  expect(kinds({ unit: "second", quantity: 2 })).toEqual({ second: 2 });
});

it("separates images by size and quality", () => {
  const outputs = [
    { width: 1024, height: 1024 },
    { width: 512, height: 768 },
    { width: 1024, height: 1024 },
  ];
  const input = { size: "1024*1024", quality: "high" };
  expect(kinds({ unit: "generation", quantity: 3 }, { input, outputs })).toEqual({
    "image:1024x1024:high": 2,
    "image:512x768:high": 1,
  });
  expect(kinds({ unit: "generation", quantity: 1 }, { input, outputs: [{}] })).toEqual({
    "image:1024x1024:high": 1,
  });
  // The upstream bills a different number of images than it sent.
  expect(kinds({ unit: "generation", quantity: 4 }, { input, outputs })).toEqual({
    "image:1024x1024:high": 4,
  });
});

it.each(["", "x".repeat(21), "a:b", "a b", 5, null])(
  "does not put a resolution of %j into the kind",
  (resolution) => {
    expect(kinds({ unit: "second", quantity: 1 }, { input: { resolution } })).toEqual({ second: 1 });
  },
);

it.each([0, Number.NaN, Number.POSITIVE_INFINITY])("ignores a quantity of %d", (quantity) => {
  expect(usageLines({ unit: "second", quantity })).toEqual([]);
});

it("counts each token once: cached, cache-write, reasoning, audio and one-hour cache tokens separately", () => {
  const count = (quantity: number, details: object) =>
    kinds({ unit: "token", quantity }, { tokens: { prompt_tokens: 100, ...details } });
  // OpenAI, and Anthropic's answers converted to this form.
  expect(
    count(150, {
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 20 },
    }),
  ).toEqual({
    input_token: 10,
    cached_input_token: 60,
    cache_write_token: 30,
    output_token: 30,
    reasoning_token: 20,
  });
  expect(
    count(150, {
      prompt_tokens_details: {
        ...{ cached_tokens: 40, cache_write_tokens: 30, cache_write_1h_tokens: 10 },
        audio_tokens: 25,
      },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 15 },
    }),
  ).toEqual({
    input_token: 5,
    cached_input_token: 40,
    cache_write_token: 20,
    cache_write_1h_token: 10,
    audio_input_token: 25,
    output_token: 15,
    reasoning_token: 20,
    audio_output_token: 15,
  });
  expect(count(150, { prompt_cache_hit_tokens: 99.5 })).toEqual({
    input_token: 1,
    cached_input_token: 99,
    output_token: 50,
  });
  // Impossible counts of an upstream are ignored.
  const absurd = { cached_tokens: 500, cache_write_tokens: -3, reasoning_tokens: "7" };
  expect(count(150, { prompt_tokens_details: absurd, completion_tokens_details: absurd })).toEqual({
    cached_input_token: 100,
    output_token: 50,
  });
  expect(count(150, { prompt_tokens_details: null, completion_tokens_details: "x" })).toEqual({
    input_token: 100,
    output_token: 50,
  });
});

it("records whether a video has sound", () => {
  const second = (input: object) =>
    kinds({ unit: "second", quantity: 5 }, { input: { resolution: "1080p", ...input } });
  expect([
    second({ generate_audio: true }),
    second({ generate_audio: false }),
    second({ audio: "yes" }),
  ]).toEqual([{ "second:1080p:audio": 5 }, { "second:1080p": 5 }, { "second:1080p": 5 }]);
});

it("counts a request fee and input images only if the price has a rate for them", () => {
  const rate = (kind: PriceKind, amount: string) => ({ kind, per: 1, rate: amount });
  const book = (...components: PriceComponent[]) =>
    bookOf(
      "USD",
      [
        {
          ...{
            id: "price_1",
            accountId: null,
            model: "m",
            apiType: "image-editing",
            provider: null,
            region: null,
          },
          ...{ components, source: "console" as const, effectiveAtMs: 0 },
        },
      ],
      [],
    );
  const run = {
    ...{
      runId: "gen_1",
      accountId: "acct_1",
      keyId: null,
      userId: null,
      model: "m",
      apiType: "image-editing",
    },
    ...{
      provider: "acme",
      region: "us-virginia",
      admittedAtMs: 1,
      sandbox: false,
      metadata: null,
      batchId: null,
    },
  };
  const media = [{ kind: "image" }, { kind: "image" }, { kind: "video" }];
  const priced = (...components: PriceComponent[]) => {
    const lines = usageLines({ unit: "generation", quantity: 1 });
    const { priced } = pricedRun(book(...components), { ...run, lines }, media);
    return { kinds: lines.map(({ kind, quantity }) => [kind, quantity]), amount: priced.charge?.amount };
  };
  const image = rate("image", "1");
  expect(priced(image)).toEqual({ kinds: [["image", 1]], amount: 10n ** 12n });
  expect(priced(image, rate("input_image", "0.1"), rate("operation", "5"))).toEqual({
    kinds: [
      ["image", 1],
      ["request", 1],
      ["input_image", 2],
    ],
    amount: 62n * 10n ** 11n,
  });
});
