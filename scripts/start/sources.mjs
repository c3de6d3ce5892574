import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { checkout } from "../runtime.mjs";

/** All sources of the console's build. */
const SOURCES = [
  "app",
  "components",
  "messages",
  "contract",
  "instrumentation.ts",
  "lib",
  "public",
  "next.config.js",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tailwind.config.ts",
  "tsconfig.json",
];
const LEFT_OUT = /\.test\.tsx?$|(^|\/)testing\//;

/** A hash that changes whenever a source of the console changes. */
export function sourcesHash() {
  const hash = createHash("sha256");
  for (const source of SOURCES.filter((name) => existsSync(path.join(checkout, name)))) {
    for (const file of filesOf(source))
      hash.update(`${file}\0`).update(readFileSync(path.join(checkout, file)));
  }
  return hash.digest("hex");
}

function filesOf(source) {
  const top = path.join(checkout, source);
  if (statSync(top).isFile()) return [source];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(checkout, path.join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file))
    .sort();
}
