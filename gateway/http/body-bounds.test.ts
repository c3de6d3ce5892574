import { expect, it } from "vitest";
import { countValues, maxBodyValues, maxNameCharacters, maxNames } from "./body-bounds.ts";

it.each([
  ["1", 1, 0],
  ["[1,2]", 3, 0],
  ['{"a":[{},{}]}', 6, 0],
  ['{"a":1,"b":[1,2,3],"c":{"d":1,"e":2,"f":3,"g":4}}', 11, 4],
  ['["a,b","[{"]', 3, 0],
  [String.raw`["a\",b\\","\\\",c"]`, 3, 0],
  ['["never closed,,,,', 2, 0],
  ["]]}},1", 2, 0],
])("%s has about %i values, and %i names in an object with several", (text, values, names) => {
  expect(countValues(text)).toMatchObject({ values, names });
});

it("knows how long the names are, whatever stands between them and their colons", () => {
  expect(countValues('{"name" \n:"a value: of text","b":["c"]}').nameCharacters).toBe(7);
});

it("stops beyond the bounds", () => {
  expect(countValues("[".repeat(2 * maxBodyValues)).values).toBe(maxBodyValues + 1);
  expect(countValues(`{${'"a":0,'.repeat(2 * maxNames)}`).names).toBe(maxNames + 1);
  const names = `[${`{"${"n".repeat(9_998)}":0},`.repeat(1_000)}{}]`;
  expect(countValues(names).nameCharacters).toBeGreaterThan(maxNameCharacters);
  expect(countValues(names).nameCharacters).toBeLessThan(maxNameCharacters + 10_000);
});
