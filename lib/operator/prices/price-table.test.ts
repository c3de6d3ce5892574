import fc from "fast-check";
import { expect, it } from "vitest";
import { priceKinds } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { english } from "@/scripts/testing/english";
import { withPasted } from "../../input-table.ts";
import { priceColumns, readPriceTable, tableOfPrice } from "./price-table.ts";

const columns = priceColumns.map(({ name }) => name);
const faultsOf = (rows: string[][]) =>
  readPriceTable(english("prices"), english("amounts"), { columns, rows }, "USD").faults.map(
    ({ row, column }) => `${row} ${column}`,
  );

it("writes any price as a table and reads it back unchanged", () => {
  const condition = fc.record(
    {
      resolution: fc.constantFrom("720P", "1080p"),
      size: fc.constantFrom("1024x1024", "512x768"),
      quality: fc.constantFrom("high", "low"),
      audio: fc.boolean(),
      service_tier: fc.constantFrom("flex", "priority"),
      context_above: fc.nat(1_000_000),
      duration_above: fc.nat(60),
    },
    { requiredKeys: [] },
  );
  const component = fc
    .record({
      kind: fc.constantFrom(...priceKinds),
      per: fc.constantFrom(1, 1000, 1_000_000),
      rate: fc.constantFrom("0", "0.15", "1.125", "12", "0.000000000001"),
      when: condition,
    })
    .map(({ when, ...rest }) => (Object.keys(when).length > 0 ? { ...rest, when } : rest) as PriceComponent);
  const price = fc.uniqueArray(component, {
    minLength: 1,
    maxLength: 20,
    selector: ({ kind, when = {} }) => JSON.stringify([kind, Object.entries(when).toSorted()]),
  });
  fc.assert(
    fc.property(price, (components) => {
      const read = readPriceTable(
        english("prices"),
        english("amounts"),
        tableOfPrice("video-generation", components),
        "USD",
      );
      expect(read).toEqual({ components, faults: [] });
    }),
  );
});

it("offers the usual rows of an operation, which count only with a rate", () => {
  const table = tableOfPrice("chat-completions");
  expect(table.columns).toEqual(["what", "rate", "per", "context above"]);
  expect(table.rows.map(([what]) => what)).toEqual(["input_token", "cached_input_token", "output_token"]);
  expect(readPriceTable(english("prices"), english("amounts"), table, "USD")).toEqual({
    components: [],
    faults: [],
  });
});

it("accepts a range that was copied from a provider's table", () => {
  const table = tableOfPrice("chat-completions");
  const pasted = withPasted(
    table,
    { row: 0, column: 0 },
    "What\tRate\tPer\nInput tokens\t$1.25\t1M\nCached input\t0.125 USD\t1,000,000\nOutput\t1,010.5\t1000000",
    columns,
  );
  expect(readPriceTable(english("prices"), english("amounts"), pasted, "USD")).toEqual({
    components: [
      { kind: "input_token", per: 1_000_000, rate: "1.25" },
      { kind: "cached_input_token", per: 1_000_000, rate: "0.125" },
      { kind: "output_token", per: 1_000_000, rate: "1010.5" },
    ],
    faults: [],
  });
});

it("names each fault by row and column", () => {
  expect(faultsOf([["pixels", "1", "1"]])).toEqual(["0 what"]);
  expect(faultsOf([["image", "0,15", ""]])).toEqual(["0 rate"]);
  expect(faultsOf([["image", "-1", ""]])).toEqual(["0 rate"]);
  expect(faultsOf([["image", "0.0000000000001", ""]])).toEqual(["0 rate"]);
  expect(faultsOf([["image", "1", "0"]])).toEqual(["0 per"]);
  expect(faultsOf([["image", "1", "some"]])).toEqual(["0 per"]);
  expect(faultsOf([["image", "1", "", "", "big", "", "maybe", "", "-1", "x"]])).toEqual([
    "0 size",
    "0 sound",
    "0 context above",
    "0 seconds above",
  ]);
  expect(
    faultsOf([
      ["image", "1"],
      ["image", "2"],
    ]),
  ).toEqual(["1 what"]);
  expect(
    faultsOf([
      ["image", "1"],
      ["image", "2", "", "", "10x10"],
    ]),
  ).toEqual([]);
});

it.each([
  ["0,150", "The decimal sign is a point. Write 0.15."],
  ["0,15", "The decimal sign is a point. Write 0.15."],
  ["1,250", '"1,250" can mean two amounts. Write 1250 or 1.25.'],
  ["1.125", '"1.125" can mean two amounts. Write 1.1250 or 1125.'],
  ["1.250,5", "The decimal sign is a point. Write 1250.5."],
  ["€0.15", '"€0.15" is not in USD. Enter an amount in USD: amounts are never converted.'],
  ["\u22120.15", "Write an amount, such as 0.15, with at most twelve decimals."],
  ["\u20130.15", "Write an amount, such as 0.15, with at most twelve decimals."],
])("refuses the rate %s, and shows how to write it", (rate, words) => {
  const { components, faults } = readPriceTable(
    english("prices"),
    english("amounts"),
    { columns, rows: [["image", rate, "1"]] },
    "USD",
  );
  expect(components).toEqual([]);
  expect(faults.map((fault) => fault.message)).toEqual([words]);
});

it.each(["1,5", "1,50M", "12,34", "1.5"])("does not accept %s as a whole number", (per) => {
  expect(faultsOf([["image", "1", per]])).toEqual(["0 per"]);
});
