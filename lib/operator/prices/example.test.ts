import { expect, it } from "vitest";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { costOfExample } from "./price-table.ts";

const price: PriceComponent[] = [
  { kind: "input_token", per: 1_000_000, rate: "1.25" },
  { kind: "input_token", per: 1_000_000, rate: "2.5", when: { context_above: 200_000 } },
  { kind: "output_token", per: 1_000_000, rate: "10" },
];

it("costs the amount that a calculation by hand gives, with each line rounded once", () => {
  const { lines, total } = costOfExample(price, { quantities: { input_token: 1000, output_token: 500 } });
  expect(total).toBe("0.00625");
  expect(lines.map(({ amount }) => amount)).toEqual(["0.00125", "0.005"]);
});

it("uses the rate with the matching condition, and counts cached tokens as context", () => {
  const { lines } = costOfExample(price, {
    quantities: { input_token: 150_000, cached_input_token: 60_000 },
  });
  expect(lines.map(({ kind, rate }) => [kind, rate])).toEqual([
    ["input_token", "2.5"],
    ["cached_input_token", "2.5"],
  ]);
});

it("has no total when a kind of usage has no rate", () => {
  expect(costOfExample(price, { quantities: { image: 1, output_token: 1 } })).toMatchObject({
    total: null,
    missing: ["image"],
  });
  expect(costOfExample(price, { quantities: {} }).total).toBeNull();
});
