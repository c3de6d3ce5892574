import { expect, it } from "vitest";
import { countValues } from "./body-bounds.ts";

it.each([
  ["1", 1],
  ["[1,2]", 3],
  ['{"a":[{},{}]}', 6],
  ['["a,b","[{"]', 3],
  [String.raw`["a\",b\\","\\\",c"]`, 3],
  ['["never closed,,,,', 2],
])("%s has about %i", (text, count) => {
  expect(countValues(text, 100)).toBe(count);
});

it("stops beyond the bound", () => {
  expect(countValues("[".repeat(1_000), 10)).toBe(11);
});
