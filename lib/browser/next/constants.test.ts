import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import * as own from "./constants.ts";

const next = "node_modules/next/dist";

it("has the constants that Next's router reads in the browser, with their values", () => {
  const theirs = createRequire(import.meta.url)("next/dist/lib/constants.js") as Record<string, unknown>;
  const read = globSync(`${next}/client/components/{router-reducer,segment-cache}/**/*.js`).flatMap(
    (file) => [...readFileSync(file, "utf8").matchAll(/_constants\.([A-Z_]+)/g)],
  );
  const names = [...new Set(read.map(([, name = ""]) => name))].filter((name) => name in theirs);
  expect(names).not.toEqual([]);
  expect({ ...own }).toEqual(Object.fromEntries(names.map((name) => [name, theirs[name]])));
});
