import { expect, it } from "vitest";
import { countCharacters } from "./characters.ts";

it("counts an emoji as one character, and half of a pair as one", () => {
  expect(countCharacters("")).toBe(0);
  expect(countCharacters("añ你")).toBe(3);
  expect(countCharacters("😀".repeat(350))).toBe(350);
  expect(countCharacters("a\ud83d")).toBe(2);
});
