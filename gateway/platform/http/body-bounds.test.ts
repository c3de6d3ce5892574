import fc from "fast-check";
import { expect, it } from "vitest";
import { countValues, maxBodyValues, maxNameCharacters, maxNames, maxNewNames } from "./body-bounds.ts";

it.each([
  ["1", 1, 0],
  ["[1,2]", 3, 0],
  ['{"a":[{},{}]}', 6, 0],
  ['{"a":1,"b":[1,2,3],"c":{"d":1,"e":2,"f":3,"g":4}}', 11, 4],
  ['["a,b","[{"]', 3, 0],
  [String.raw`["a\",b\\","\\\",c"]`, 3, 0],
  ['["never closed,,,,', 2, 0],
  ["]]}},1", 1, 0],
])(
  "%s counts as %i values, and its largest object as %i names (0 for a single name)",
  (text, values, names) => {
    expect(countValues(text)).toMatchObject({ values, names });
  },
);

it("counts the length of names, whatever white space separates them from their colons", () => {
  expect(countValues('{"name" \n:"a value: of text","b":["c"]}').nameCharacters).toBe(7);
});

it("counts the values of any JSON text, however it is formatted", () => {
  const escaped = fc.array(fc.constantFrom("\\", '"', "a", "\n", ",", "{"), { maxLength: 60 });
  const text = escaped.map((pieces) => pieces.join(""));
  const json = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.double(), text, tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 5 }),
    object: fc.dictionary(text, tie("any"), { maxKeys: 5 }),
  })).any;
  fc.assert(
    fc.property(json, fc.nat({ max: 10 }), (value, spaces) => {
      expect(countValues(JSON.stringify(value, null, spaces))).toEqual(counted(value));
    }),
    { numRuns: 2_000 },
  );
});

function counted(value: unknown): ReturnType<typeof countValues> {
  const all = { values: 1, names: 0, nameCharacters: 0 };
  const orders = new Set<string>();
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    waiting.push(...members);
    all.values += 1 + Math.max(0, members.length - 1);
    if (Array.isArray(next)) continue;
    if (members.length > 1) all.names = Math.max(all.names, members.length);
    const names = Object.keys(next).map((name) => JSON.stringify(name));
    for (const [at, name] of names.entries()) {
      all.nameCharacters += name.length - 1;
      orders.add(names.slice(0, at + 1).join());
    }
  }
  return { ...all, newNames: orders.size };
}

it("counts a name as new unless an earlier object has it after the same names", () => {
  const newNames = (text: string) => countValues(text).newNames;
  expect(newNames('[{"a":1,"b":{"a":1}},{"a":2,"b":3},{"a":2}]')).toBe(2);
  expect(newNames('[{"a":1,"b":1},{"b":1,"a":1}]')).toBe(4);
  expect(newNames('{"ab":{"a":1},"b":1}')).toBe(3);
});

it("stops as soon as the text is clearly not JSON", () => {
  for (const start of ["]", '"a""b""c"', "::"])
    expect(countValues(`${start}${",".repeat(10)}`).values).toBeLessThan(5);
});

it("stops as soon as a limit is exceeded", () => {
  expect(countValues("[".repeat(2 * maxBodyValues)).values).toBe(maxBodyValues + 1);
  expect(countValues(`{${'"a":0,'.repeat(2 * maxNames)}`).names).toBe(maxNames + 1);
  const each = Array.from({ length: 2 * maxNewNames }, (_, at) => `{"${at}":0}`);
  expect(countValues(`[${each}]`).newNames).toBe(maxNewNames + 1);
  const names = `[${`{"${"n".repeat(9_998)}":0},`.repeat(1_000)}{}]`;
  expect(countValues(names).nameCharacters).toBeGreaterThan(maxNameCharacters);
  expect(countValues(names).nameCharacters).toBeLessThan(maxNameCharacters + 10_000);
});
