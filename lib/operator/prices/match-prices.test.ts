import { describe, expect, it } from "vitest";
import type { Price, PriceComponent } from "#contract/operator/prices.ts";
import { changeOf, type PriceTarget, priceOf, proposalsFor } from "./import-rows.ts";
import type { ListedPrice } from "./price-list.ts";

const target: PriceTarget = {
  model: "acme/gpt-5",
  api_type: "chat-completions",
  provider: "fireworks-ai",
  upstream_model: "gpt-5",
  preset: null,
};
const listed = (
  name: string,
  provider: string | null,
  apiType: ListedPrice["apiType"] = "chat-completions",
) => ({
  name,
  provider,
  apiType,
  components: [],
  notUnderstood: [],
});

describe("entries of a price list", () => {
  it("are found by the name of the upstream model, the provider's own entry first", () => {
    const prices = [
      listed("gpt-5", "openai"),
      listed("azure/gpt-5", "azure"),
      listed("fireworks_ai/accounts/x/gpt-5", "fireworks_ai"),
      listed("gpt-5", "pictures", "image-generation"),
      listed("my-gpt-5", "openai"),
    ];
    const [proposal] = proposalsFor([target], prices);
    expect(proposal?.candidates.map(({ provider }) => provider)).toEqual(["fireworks_ai", "openai", "azure"]);
    expect(proposalsFor([{ ...target, upstream_model: "gpt-6" }], prices)).toEqual([]);
  });

  it("do not end the search when their names are unusual", () => {
    const prices = [listed("__proto__", null), listed("/".repeat(50_000), null), listed("a/", null)];
    expect(proposalsFor([{ ...target, upstream_model: "__proto__" }], prices)).toHaveLength(1);
    expect(proposalsFor([{ ...target, upstream_model: "constructor" }], prices)).toEqual([]);
  });
});

describe("the current price", () => {
  const components: PriceComponent[] = [
    { kind: "input_token", per: 1_000_000, rate: "1.25" },
    { kind: "output_token", per: 1_000_000, rate: "10", when: { service_tier: "flex", context_above: 5 } },
  ];
  const price = (more: Partial<Price>) =>
    ({
      model: target.model,
      api_type: target.api_type,
      provider: null,
      region: null,
      account_id: null,
      status: "in_force",
      components,
      ...more,
    }) as Price;

  it("is the provider's price rather than the one for any provider", () => {
    const [anybody, own] = [price({}), price({ provider: target.provider })];
    expect(priceOf(target, [anybody, own])).toBe(own);
    expect(priceOf(target, [anybody, price({ provider: "another" })])).toBe(anybody);
    expect(priceOf(target, [price({ status: "scheduled" }), price({ account_id: "acct_1" })])).toBeNull();
  });

  it("is compared regardless of the order of its rates", () => {
    const reversed = [
      { ...components[1], when: { context_above: 5, service_tier: "flex" } } as PriceComponent,
      components[0] as PriceComponent,
    ];
    expect(changeOf(price({}), reversed)).toBe("same");
    expect(changeOf(price({}), reversed.slice(1))).toBe("changed");
    expect(changeOf(null, reversed)).toBe("new");
    expect(changeOf(price({ components: [] }), reversed)).toBe("new");
  });
});
