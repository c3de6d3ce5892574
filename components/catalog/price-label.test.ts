import { expect, it } from "vitest";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { english } from "@/scripts/testing/english";
import { priceLabel } from "./price-label.ts";

const t = english("amounts");
const image = (rate: string, more: Partial<PriceComponent> = {}): PriceComponent => ({
  kind: "image",
  per: 1,
  rate,
  ...more,
});
const tokens = (
  kind: "input_token" | "cached_input_token" | "output_token",
  rate: string,
): PriceComponent => ({
  kind,
  per: 1_000_000,
  rate,
});

function label(...places: (PriceComponent[] | null | "sandbox")[]): string | null {
  return priceLabel(t, {
    object: "operation_price",
    model: "svc/m",
    api_type: "image-generation",
    currency: "USD",
    places: places.map((components) => ({
      region: "us-virginia",
      sandbox: components === "sandbox",
      components: components === "sandbox" ? [] : components,
    })),
  });
}

it("says what one unit costs", () => {
  expect(label([image("0.04")])).toBe("0.04 USD / image");
  expect(label([{ kind: "character", per: 1_000_000, rate: "1500" }])).toBe("1,500 USD / 1M characters");
});

it("says both rates of a chat, without those of caches", () => {
  const chat = [
    tokens("input_token", "1.25"),
    tokens("cached_input_token", "0.1"),
    tokens("output_token", "10"),
  ];
  expect(label(chat)).toBe("1.25 in · 10 out USD / 1M tokens");
  expect(label(chat, chat)).toBe("1.25 in · 10 out USD / 1M tokens");
});

it("says the lowest price if it depends on the place or the input", () => {
  expect(label([image("0.08")], [image("0.04")])).toBe("from 0.04 USD / image");
  expect(label([image("0.02", { when: { quality: "low" } }), image("0.2")])).toBe("from 0.02 USD / image");
});

it("is missing in the sandbox and without a price", () => {
  expect(label("sandbox", "sandbox")).toBeNull();
  expect(label("sandbox", [image("0.04")])).toBe("0.04 USD / image");
  expect(label(null)).toBeNull();
});
