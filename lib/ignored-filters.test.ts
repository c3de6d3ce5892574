import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { expect, it } from "vitest";
import { ignoredFilters } from "./ignored-filters.ts";

const known = { endpoint_id: parseAsString.withDefault(""), since: parseAsStringLiteral(["1h", "24h"]) };

it("names each part of an address that filters nothing", () => {
  expect(ignoredFilters({ endpoint: "we_1", since: "99h", toString: "x" }, known)).toEqual([
    "This page has no filter “endpoint”. Did you mean “endpoint_id”?",
    "The filter “since” has no value “99h”.",
    "This page has no filter “toString”.",
  ]);
});

it("has nothing to say of filters that work, of an empty one, nor of the place in the list", () => {
  expect(ignoredFilters({ endpoint_id: "we_1", since: "", after: "dlv_1" }, known)).toEqual([]);
});
