import { expect, it } from "vitest";
import type { Found } from "#contract/search.ts";
import { narrow } from "./narrow.ts";

const row = (name: string): Found => ({
  id: "we_1",
  kind: "endpoint",
  name,
  about: null,
  state: null,
  at: null,
});

it("keeps only those results of an earlier answer that contain the words typed now", () => {
  const answer = {
    object: "search" as const,
    groups: [
      { kind: "endpoint" as const, data: [row("Shop orders"), row("Shop refunds")], has_more: true },
      { kind: "key" as const, data: [row("shop")], has_more: false },
    ],
    partial: [],
  };
  expect(narrow(answer, "REF shop").groups).toEqual([
    { kind: "endpoint", data: [row("Shop refunds")], has_more: true },
  ]);
});
