import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { admitsNode, oldestNode } from "./engines.mjs";

const read = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));

describe("the Node that installs the packages", () => {
  it("gets no warning from npm about any package (else: node scripts/complete-lock.mjs)", () => {
    const entries = Object.entries(read("package-lock.json").packages);
    const warned = entries.filter(
      ([, { engines }]) => engines?.node && !admitsNode(engines.node, oldestNode),
    );
    expect(entries.length).toBeGreaterThan(400);
    expect(warned.map(([path]) => path)).toEqual([]);
  });

  it("is the version that package.json requires", () => {
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

describe("packages that had security advisories", () => {
  /** The first version that fixes the advisory. */
  const repaired = {
    next: "16.0.7", // GHSA-9qr9-h5gf-34mp: remote code execution through server components
    "next-auth": "4.24.12", // GHSA-5jpx-9hw9-2fx4: sign-in mail goes to another address
    nodemailer: "7.0.7", // GHSA-mm7p-fcc7-pg87: mail goes to another domain
    fastify: "5.3.2", // GHSA-mg2h-6x62-wpwc: a content type can bypass the validation of a body
    sharp: "0.32.6", // GHSA-54xq-cgqr-rpm3: a WebP picture writes outside its memory
  };

  it.each(Object.entries(repaired))("%s is installed in a fixed version", (name, first) => {
    const order = (version) => version.split(".").reduce((sum, part) => sum * 100_000 + Number(part), 0);
    const installed = Object.entries(read("package-lock.json").packages).filter(
      ([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
    );
    expect(installed.length).toBeGreaterThan(0);
    for (const [, { version }] of installed) expect(order(version)).toBeGreaterThanOrEqual(order(first));
  });
});

describe("what users install", () => {
  it("has the hash of every package (else: node scripts/complete-lock.mjs)", () => {
    const without = Object.entries(read("package-lock.json").packages).filter(
      ([path, { dev, integrity }]) => path !== "" && !dev && integrity === undefined,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it("has the hashes of the pinned Node for each platform of the tarball", () => {
    const nodes = read("scripts/install/node-packages.json");
    expect(nodes.version).toBe(read("package.json").devDependencies.node);
    expect(Object.keys(nodes.packages)).toHaveLength(4);
    for (const integrity of Object.values(nodes.packages)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  });
});
