import { createElement } from "react";
import { expect, it } from "vitest";
import { createCustomEqual } from "./rjsf-plain.tsx";

const isEqual = createCustomEqual();
const circular = (name: string) => {
  const made: Record<string, unknown> = { name };
  made.self = made;
  return made;
};

it.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [1], false],
  [[], {}, false],
  [Number.NaN, Number.NaN, true],
  [() => 1, () => 2, true],
  [() => 1, {}, false],
  [new Date(0), new Date(0), false],
  [circular("a"), circular("a"), true],
  [circular("a"), circular("b"), false],
  [createElement("p", null, "a"), createElement("p", null, "a"), true],
  [createElement("p", null, "a"), createElement("p", null, "b"), false],
])("compares %o with %o", (first, second, equal) => {
  expect(isEqual(first, second)).toBe(equal);
});
