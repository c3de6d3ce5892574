import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { protocols } from "#gateway/models/providers/protocols.ts";
import { iconOfPreset } from "./marks.tsx";

it("has an icon for nothing but presets, and each icon is in the file with its notice", () => {
  const presets = Object.values(protocols).flatMap(({ facts }) => facts.presets.map(({ id }) => id));
  expect(presets).toEqual(expect.arrayContaining(Object.keys(iconOfPreset)));
  const file = readFileSync("public/provider-icons.svg", "utf8");
  expect(file).toContain("MIT License. Copyright (c) LobeHub");
  const drawn = Array.from(file.matchAll(/<symbol id="([^"]+)"/g), ([, id]) => id);
  expect(drawn.sort()).toEqual([...new Set(Object.values(iconOfPreset))].sort());
});
