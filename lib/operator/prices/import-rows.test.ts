import { expect, it } from "vitest";
import type { Price } from "#contract/operator/prices.ts";
import { english } from "@/scripts/testing/english";
import type { MappedOperation } from "../route-entry.ts";
import { importRows, pricesOf, withCandidate } from "./import-rows.ts";
import type { ListedPrice } from "./price-list.ts";
import { unpricedOperations } from "./scope.ts";

const components = [{ kind: "input_token" as const, per: 1_000_000, rate: "1.25" }];
const operation = (model: string, upstreamModel: string): MappedOperation => ({
  model,
  apiType: "chat-completions",
  chain: [
    {
      routeId: "rte_1",
      provider: "acme",
      upstreamModel,
      weight: null,
      regions: ["us-virginia", "us-oregon"],
    },
  ],
});
const listed = (name: string, rate: string, provider = "openai"): ListedPrice => ({
  name,
  provider,
  apiType: "chat-completions",
  components: [{ kind: "input_token", per: 1_000_000, rate }],
  notUnderstood: [],
});
const price = (model: string, more: Partial<Price> = {}) =>
  ({
    model,
    api_type: "chat-completions",
    provider: null,
    region: null,
    account_id: null,
    status: "in_force",
    managed_by: "console",
    components,
    ...more,
  }) as Price;

it("selects new and changed prices, except those that the prices file would override", () => {
  const operations = [
    operation("acme/same", "same"),
    operation("acme/new", "new"),
    operation("acme/changed", "changed"),
    operation("acme/filed", "filed"),
    operation("acme/unknown", "unknown"),
  ];
  const list = ["same", "changed", "filed"].map((name) => listed(name, name === "same" ? "1.25" : "2"));
  const rows = importRows(
    english("prices"),
    [...list, listed("new", "3"), listed("azure/new", "4", "azure")],
    operations,
    { acme: null },
    [price("acme/same"), price("acme/changed"), price("acme/filed", { managed_by: "file" })],
  );
  expect(rows.map(({ target, change, chosen }) => [target.model, change, chosen])).toEqual([
    ["acme/new", "new", true],
    ["acme/changed", "changed", true],
    ["acme/filed", "changed", false],
    ["acme/same", "same", false],
  ]);
  expect(
    pricesOf(rows).map(({ model, provider, components: [first] }) => [model, provider, first?.rate]),
  ).toEqual([
    ["acme/new", "acme", "3"],
    ["acme/changed", "acme", "2"],
  ]);
  const [first] = rows;
  if (first) expect(pricesOf([withCandidate(english("prices"), first, 1)])[0]?.components[0]?.rate).toBe("4");
});

it("finds operations of a provider that have no price in a region", () => {
  const operations = [operation("acme/a", "a"), operation("acme/b", "b"), operation("acme/c", "c")];
  const prices = [
    price("acme/a"),
    price("acme/b", { provider: "acme", region: "us-virginia" }),
    price("acme/c", { components: [] }),
  ];
  expect(unpricedOperations(operations, prices).map(({ model }) => model)).toEqual(["acme/b", "acme/c"]);
  const complete = [
    ...prices,
    price("acme/b", { region: "us-oregon" }),
    price("acme/c", { provider: "other" }),
  ];
  expect(unpricedOperations(operations, complete).map(({ model }) => model)).toEqual(["acme/c"]);
});

it("leaves out an entry that the gateway would refuse, with the reason; the others are imported", () => {
  const twice = listed("b", "2");
  twice.components.push({ kind: "input_token", per: 1, rate: "3" });
  const rows = importRows(
    english("prices"),
    [listed("a", "1"), twice],
    [operation("m/a", "a"), operation("m/b", "b")],
    {},
    [],
  );
  expect(rows.map(({ target, chosen, problem }) => [target.model, chosen, problem])).toEqual([
    ["m/a", true, null],
    ["m/b", false, "input_token already has a rate for these conditions. Remove one of the two."],
  ]);
  expect(pricesOf(rows).map(({ model }) => model)).toEqual(["m/a"]);
});
