import { expect, it } from "vitest";
import { changedFields } from "./changed-fields.ts";

const long = "[longer than 1000 characters]";

it.each<[string, Record<string, unknown>, Record<string, unknown>, object[]]>([
  ["nothing for equal values", { a: { b: [1] } }, { a: { b: [1] } }, []],
  ["what was added", {}, { a: 0 }, [{ field: "a", sent: 0 }]],
  ["what was left out", { a: false }, {}, [{ field: "a", asked: false }]],
  ["what was replaced", { a: [1] }, { a: [2] }, [{ field: "a", asked: [1], sent: [2] }]],
  ["nothing for what says the same as a missing field", { a: null, b: "", stream: false }, {}, []],
  [
    "long values by a note",
    { a: "x".repeat(1_001), b: [{ c: "x".repeat(999) }] },
    { b: Array.from({ length: 300_000 }, () => 1) },
    [
      { field: "a", asked: long },
      { field: "b", asked: long, sent: long },
    ],
  ],
  ["inherited names", JSON.parse('{"__proto__": 1}'), {}, [{ field: "__proto__", asked: 1 }]],
])("names %s", (_, asked, sent, changes) => {
  expect(changedFields(asked, sent)).toEqual(changes);
});

it("names at most a hundred", () => {
  expect(
    changedFields(Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`${at}`, at])), {}),
  ).toHaveLength(100);
});
