import { expect, it } from "vitest";
import { countCharacters, hasFewerCharacters, hasMoreCharacters } from "./characters.ts";

it("counts an emoji as one character, and half of a surrogate pair as one", () => {
  expect(countCharacters("")).toBe(0);
  expect(countCharacters("añ你")).toBe(3);
  expect(countCharacters("😀".repeat(350))).toBe(350);
  expect(countCharacters("a\ud83d")).toBe(2);
});

it("compares with a limit as exactly as counting does", () => {
  for (const text of ["", "a", "ab", "😀", "a😀", "😀😀", "\ud83da", "你好吗"])
    for (const limit of [0, 1, 2, 3, 4]) {
      expect(hasMoreCharacters(text, limit)).toBe(countCharacters(text) > limit);
      expect(hasFewerCharacters(text, limit)).toBe(countCharacters(text) < limit);
    }
});
