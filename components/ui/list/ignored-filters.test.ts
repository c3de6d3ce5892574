import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { ignoredFilters } from "./ignored-filters.tsx";

const t = english("ui");
const known = { endpoint_id: parseAsString.withDefault(""), since: parseAsStringLiteral(["1h", "24h"]) };

it("names each query parameter that filters nothing", () => {
  expect(ignoredFilters(t, { endpoint: "we_1", since: "99h", toString: "x" }, known)).toEqual([
    "This page has no filter “endpoint”. Did you mean “endpoint_id”?",
    "The filter “since” does not have the value “99h”, so it is ignored.",
    "This page has no filter “toString”.",
  ]);
});

it("does not report filters that work, empty filters, the page position, or a dialog to open", () => {
  expect(ignoredFilters(t, { endpoint_id: "we_1", since: "", after: "dlv_1", do: "retry" }, known)).toEqual(
    [],
  );
});
