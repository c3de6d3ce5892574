import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import rooms from "../gateway/rooms.json";
import manifest from "../package.json";

const root = path.resolve(import.meta.dirname, "..");

it("ARCHITECTURE.md lists the gateway's districts in the order that the rules enforce", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const table = text.slice(text.indexOf("| Room |"));
  const expected = Object.entries(rooms).flatMap(([district, names]) =>
    names.map((name) => `${district}/${name}`),
  );
  expect([...table.matchAll(/^\| `([a-z]+\/[a-z]+)\/` \|/gm)].map(([, room]) => room)).toEqual(expected);
});

it("ARCHITECTURE.md names only files and folders that exist", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(80);
  const isThere = (name: string) =>
    ["", "gateway"].some((folder) => existsSync(path.join(root, folder, name)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

it("docs/clients.md names the versions of the clients that the tests run", () => {
  const text = readFileSync(path.join(root, "docs", "clients.md"), "utf8");
  const named = [...text.matchAll(/`([^`]+)` (\d+\.\d+\.\d+)/g)].map(([, name = "", version]) => [
    name,
    version,
  ]);
  expect(named.length).toBeGreaterThan(5);
  for (const [name = "", version] of named)
    expect([name, (manifest.devDependencies as Record<string, string>)[name]]).toEqual([name, version]);
});
