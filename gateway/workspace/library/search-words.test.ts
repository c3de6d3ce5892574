import { expect, it } from "vitest";
import { wordsOf } from "./keep.ts";

it("compares words without case, accents and marks, each once", () => {
  expect(wordsOf("A CAFÉ, by the sea: a café's “lights” (4K)")).toEqual([
    "a",
    "cafe",
    "by",
    "the",
    "sea",
    "s",
    "lights",
    "4k",
  ]);
});

it("finds every character of scripts without spaces", () => {
  expect(wordsOf("灯台 at 夜")).toEqual(["灯", "台", "at", "夜"]);
});

it("limits the number and length of words", () => {
  expect(wordsOf(Array.from({ length: 1000 }, (_, n) => `w${n}`).join(" "))).toHaveLength(400);
  expect(wordsOf("x".repeat(1000))[0]).toHaveLength(40);
  expect(wordsOf("'; drop table \\ :* & |")).toEqual(["drop", "table"]);
});
