import { expect, it } from "vitest";
import { described } from "./resources.ts";

const all = described().map(([, each]) => each);

it.each<[string, readonly (string | number)[]]>([
  ["prefix of ids", all.flatMap(({ id = [] }) => id)],
  ["error code", all.flatMap(({ notFound = [], conflicts = [] }) => [...notFound, ...conflicts])],
  ["audit action", all.flatMap(({ audit }) => Object.keys(audit?.actions ?? {}))],
  ["permission", all.flatMap(({ permissions = {} }) => Object.keys(permissions))],
  ["place in the search", all.flatMap(({ found = [] }) => found)],
])("gives every %s to one resource", (_, names) => {
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
