import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "@/scripts/testing/english";
import { exampleOf } from "./model-cover.tsx";
import { coverOf, purposeOf } from "./purpose.ts";

const t = english("purposes");
const { data: models } = createCatalog().list({});

it("describes the purpose of each model, and has a picture for both themes if the model makes pictures", () => {
  for (const { id, api_types: apiTypes } of models) {
    expect(purposeOf(t, id, []), id).not.toBe("");
    if (exampleOf(id, apiTypes)) continue;
    for (const theme of ["light", "dark"])
      expect(existsSync(`public/covers/${coverOf(id)}-${theme}.webp`), id).toBe(true);
  }
});

it("describes a model without a description by its operations", () => {
  expect(purposeOf(t, "acme/new", ["image-generation", "dancing"])).toBe("Images from a prompt. dancing");
  expect(coverOf("acme/new")).toBeNull();
});
