import { expect, it } from "vitest";
import { described } from "./resources.ts";
import { foundKinds } from "./search.ts";

const all = described().map(([, each]) => each);

it.each<[string, readonly string[]]>([
  ["prefix of ids", all.flatMap(({ id = [] }) => id)],
  ["error code", all.flatMap(({ notFound = [], conflicts = [] }) => [...notFound, ...conflicts])],
  ["audit action", all.flatMap(({ audit }) => Object.keys(audit ?? {}))],
  ["permission", all.flatMap(({ permissions = {} }) => Object.keys(permissions))],
  ["place in the search", foundKinds],
])("gives every %s to one resource", (_, names) => {
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
