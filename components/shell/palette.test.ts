import { describe, expect, it } from "vitest";
import type { Found } from "#contract/search.ts";
import { byLastUse, narrow, recentEntries } from "./palette.ts";

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

const pages = [{ href: "/" }, { href: "/predictions" }, { href: "/keys" }];
const endpoint = "/webhooks/endpoints/we_01k9aaaaaaaaaaaaaaaaaaaaaa";
const prediction = "/predictions/pred_01k9aaaaaaaaaaaaaaaaaaaaaa";
const places = [
  { href: endpoint, label: "Shop orders" },
  { href: "/keys", label: "Keys" },
  { href: prediction, label: "Failed: prediction pred_01k9…aaaaaa" },
  { href: "/predictions", label: "Predictions" },
  { href: "/catalog/svc/chat-1", label: "" },
];

describe("recently opened places", () => {
  it("are offered in addition to the pages, without the open page", () => {
    expect(recentEntries(places, pages, "/")).toEqual([
      { href: endpoint, label: "Shop orders", about: "we_01k9…aaaaaa" },
      { href: prediction, label: "Failed: prediction pred_01k9…aaaaaa", about: null },
    ]);
    expect(recentEntries(places, pages, endpoint)).toHaveLength(1);
  });

  it("sort the pages, and leave the others in their order", () => {
    expect(byLastUse(pages, places).map(({ href }) => href)).toEqual(["/keys", "/predictions", "/"]);
  });
});
