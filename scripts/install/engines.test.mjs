import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { admitsNode, oldestNode } from "./engines.mjs";

const read = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));

describe("the Node that installs", () => {
  it("gets no warning from npm about any package (else: node scripts/complete-lock.mjs)", () => {
    const entries = Object.entries(read("package-lock.json").packages);
    const warned = entries.filter(
      ([, { engines }]) => engines?.node && !admitsNode(engines.node, oldestNode),
    );
    expect(entries.length).toBeGreaterThan(400);
    expect(warned.map(([path]) => path)).toEqual([]);
  });

  it("is the one that package.json asks for", () => {
    expect(read("package.json").engines.node).toBe(`>=${oldestNode[0]}`);
  });

  it.each([
    ["*", true],
    [">=18", true],
    [">= 14.0.0", true],
    ["^20.0.0 || >=22", true],
    ["20.x", true],
    ["20 || >=22", true],
    [">=16 <23", true],
    ["^18.19 || >=22", false],
    [">=20.9.0", false],
    ["^20.19.0 || >=22.12.0", false],
    [">=22", false],
    ["<20", false],
    ["~20.1", false],
  ])("%s", (range, admitted) => {
    expect(admitsNode(range, [20, 0, 0])).toBe(admitted);
  });
});
