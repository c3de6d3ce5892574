import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import rooms from "../gateway/rooms.json";

const root = path.resolve(import.meta.dirname, "..");

it("ARCHITECTURE.md lists the gateway's rooms in the order that the rules enforce", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const table = text.slice(text.indexOf("| Room |"));
  expect([...table.matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, room]) => room)).toEqual(rooms);
});
