import { existsSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import { ExampleCover } from "./example-cover.tsx";
import { coverOf, purposeOf } from "./purpose.ts";

const { data: models } = createCatalog().list({});

it("says what each model is for, and has its cover for both themes, or an example of what it makes", () => {
  for (const { id, api_types: apiTypes } of models) {
    expect(purposeOf(id, []), id).not.toBe("");
    const [apiType = ""] = apiTypes;
    const cover = coverOf(id, apiType);
    if (cover === null) {
      expect(renderToStaticMarkup(createElement(ExampleCover, { id, apiType })), id).not.toBe("");
      continue;
    }
    for (const theme of ["light", "dark"])
      expect(existsSync(`public/covers/${cover}-${theme}.webp`), id).toBe(true);
  }
});

it("tells of a model that nobody has described by its operations", () => {
  expect(purposeOf("acme/new", ["image-generation", "dancing"])).toBe("Images from a prompt. dancing");
  expect(coverOf("acme/new", "image-generation")).toBeNull();
});
