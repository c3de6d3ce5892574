import { expect, it } from "vitest";
import { protocols } from "#gateway/models/providers/protocols.ts";
import { compiledPart } from "../../messages/compile.ts";
import { wordsOf } from "../../messages/words.ts";
import { english } from "../../scripts/testing/english.ts";
import { presetName, presetNote } from "./provider-presets.ts";

const presets = Object.values(protocols).flatMap(({ facts }) => facts.presets);
const en = english("providerPresets");
const zh = wordsOf<"providerPresets">(compiledPart("zh-CN", "providerPresets"), "zh-CN", "UTC");

it("says in English what the gateway says of each preset", () => {
  expect(presets.length).toBeGreaterThan(10);
  expect(presets.map((preset) => [presetName(en, preset), presetNote(en, preset)])).toEqual(
    presets.map(({ name, note }) => [name, note]),
  );
});

it("has Chinese words for every other server and every note", () => {
  const said = presets.map((preset) => [presetName(zh, preset), presetNote(zh, preset)].join(" "));
  expect(said.filter((text) => /Another|\b(?:Its?|By|key|models)\b/.test(text))).toEqual([]);
});
