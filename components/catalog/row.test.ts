import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "@/scripts/testing/english";
import { byInterest, rowOf } from "./row.ts";

it("names only the regions of a model that have a route", () => {
  const model = createCatalog()
    .list()
    .data.find(({ available_regions: regions }) => regions.length > 1);
  if (!model) throw new Error("no model with two regions");
  const [routed] = model.available_regions;
  for (const deployment of model.operations.flatMap(({ deployments }) => deployments))
    if (deployment.gateway_region !== routed) deployment.svc_served_by = "none";
  expect(rowOf(english("purposes"), model, () => false).regions).toEqual([routed]);
});

it("begins the catalog with pictures and chats, newest first, and ends it with models behind a gate", () => {
  const rows = createCatalog()
    .list()
    .data.map((model) => rowOf(english("purposes"), model, () => false))
    .toSorted(byInterest);
  const kinds = rows.filter(({ gates }) => gates[0] === "none").map(({ apiTypes }) => apiTypes[0]);
  expect([...new Set(kinds)].slice(0, 2)).toEqual(["image-generation", "chat-completions"]);
  const pictures = rows.slice(0, kinds.lastIndexOf("image-generation") + 1);
  expect(pictures.map((row) => row.latestReleaseAt)).toEqual(
    pictures
      .map((row) => row.latestReleaseAt)
      .toSorted()
      .reverse(),
  );
  expect(rows.findLastIndex(({ gates }) => gates[0] === "none")).toBe(kinds.length - 1);
});
