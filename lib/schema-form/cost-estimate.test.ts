import { expect, it } from "vitest";
import type { CatalogOperation } from "#contract/catalog.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { OwnPrice } from "#contract/prices.ts";
import { estimateCost } from "./cost-estimate.ts";

const operation = (more: Partial<CatalogOperation>) =>
  ({
    billing_unit: "token",
    api_type: "chat-completions",
    limits: {},
    input_schema: {},
    ...more,
  }) as CatalogOperation;
const priced = (...prices: (PriceComponent[] | null)[]) =>
  ({
    places: prices.map((components) => ({ region: "us-virginia", sandbox: false, components })),
  }) as OwnPrice;
const chatPrice: PriceComponent[] = [
  { kind: "input_token", per: 1_000_000, rate: "1" },
  { kind: "output_token", per: 1_000_000, rate: "10" },
];
const chat = { messages: [{ role: "user", content: "a".repeat(4000) }], max_tokens: 500 };

it("is at most the cost of the possible output tokens at the most expensive place", () => {
  const dearer = chatPrice.map((component) => ({ ...component, rate: `${component.rate}.5` }));
  const bytes = JSON.stringify(chat).length;
  expect(estimateCost(chat, operation({}), priced(chatPrice, dearer))).toMatchObject({
    state: "amount",
    amount: String((bytes * 1.5 + 500 * 10.5) / 1e6),
    bound: "most",
    rates: dearer,
  });
  const { max_tokens: _, ...open } = chat;
  expect(estimateCost(open, operation({}), priced(chatPrice))).toMatchObject({
    amount: "0.001",
    bound: "input",
  });
});

it("is never below the amount that the run reserves: tools, cache writes and a fee per request count", () => {
  const price: PriceComponent[] = [
    ...chatPrice,
    { kind: "cache_write_token", per: 1_000_000, rate: "2" },
    { kind: "operation", per: 1, rate: "0.5" },
  ];
  const tool = { type: "function", function: { name: "f", parameters: {}, description: "b".repeat(10_000) } };
  const body = { messages: [{ role: "user", content: "日本語" }], tools: [tool], max_tokens: 500, n: 2 };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  expect(estimateCost(body, operation({}), priced(price))).toMatchObject({
    amount: String((bytes * 2 + 1000 * 10) / 1e6 + 0.5),
    bound: "most",
  });
  const image = { type: "image_url", image_url: { url: "https://a.test/b.png" } };
  const picture = { messages: [{ role: "user", content: [image] }], max_tokens: 500 };
  expect(estimateCost(picture, operation({}), priced(chatPrice)).state).toBe("unknown");
  const limits = { maxInputTokens: 1_000 } as CatalogOperation["limits"];
  expect(estimateCost(picture, operation({ limits }), priced(chatPrice))).toMatchObject({ amount: "0.006" });
});

it("shows the cost for the given images", () => {
  const images = operation({ billing_unit: "generation", api_type: "image-editing" });
  const price: PriceComponent[] = [
    { kind: "image", per: 1, rate: "0.04" },
    { kind: "input_image", per: 1, rate: "0.001" },
  ];
  expect(estimateCost({ n: 1 }, images, priced(price))).toMatchObject({ amount: "0.04", bound: "about" });
});

it("is exact when all facts that set the price are known, and a maximum otherwise", () => {
  const images = operation({ billing_unit: "generation", api_type: "image-generation" });
  const price: PriceComponent[] = [
    { kind: "image", per: 1, rate: "0.04" },
    { kind: "image", per: 1, rate: "0.12", when: { quality: "hd" } },
  ];
  expect(estimateCost({ n: 3, quality: "low" }, images, priced(price))).toMatchObject({
    amount: "0.12",
    bound: "exact",
  });
  expect(estimateCost({ n: 3 }, images, priced(price))).toMatchObject({ amount: "0.36", bound: "most" });
});

it("explains that a run is free, has no price, or depends only on the media", () => {
  const sandbox = {
    places: [{ region: "us-virginia", sandbox: true, components: [] }],
  } as unknown as OwnPrice;
  expect(estimateCost(chat, operation({}), sandbox)).toEqual({ state: "sandbox" });
  expect(estimateCost(chat, operation({}), priced(chatPrice, null))).toEqual({ state: "not_priced" });
  expect(estimateCost(chat, operation({}), priced([{ kind: "image", per: 1, rate: "1" }]))).toEqual({
    state: "not_priced",
  });
  const listen = operation({ billing_unit: "second", api_type: "audio-transcription" });
  expect(estimateCost({}, listen, priced([{ kind: "second", per: 1, rate: "0.1" }])).state).toBe("unknown");
});
