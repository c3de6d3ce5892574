// Packs an npm tarball that runs without a checkout: npm run package -- [folder]
// It has the built console, npm-shrinkwrap.json and the pinned Node. Node runs no TypeScript below node_modules, so
// the types are removed here.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import module from "node:module";
import os from "node:os";
import path from "node:path";
import { buildConsole, isBuilt } from "./build-console.mjs";
import { checkout, requireNode } from "./runtime.mjs";

const carried = [
  /^(contract|gateway|messages|docs|public)\//,
  /^scripts\/(start\/.*|(start|bin|gatehouse|runtime|build-console)\.mjs)$/,
  /^(next\.config\.js|LICENSE|CHANGELOG\.md|README\.md)$/,
];
const leftOut = /\.(test|long|upgrade|cluster)\.(ts|mjs)$|(^|\/)testing\/|^docs\/maintainers\//;
/** Parts of `.next` that `next start` does not read. */
const ofBuildOnly = /^\.next\/(cache|dev|diagnostics|trace|trace-build|turbopack)(\/|$)/;
/** A path at the end of a text of code, such as `from "./file.ts"`. */
const typeScriptPath = /\.ts(?=["'`])/g;

requireNode("npm run package");
process.chdir(checkout);
const target = path.resolve(process.argv[2] ?? ".");
if (!isBuilt()) await buildConsole(console.error);
const stage = mkdtempSync(path.join(os.tmpdir(), "gatehouse-pack-"));
try {
  copySources();
  cpSync(".next", path.join(stage, ".next"), {
    recursive: true,
    filter: (name) => !ofBuildOnly.test(name),
  });
  writeManifests();
  // The marker by which a start knows that the console is built: of these sources, not of the checkout's.
  const hashed = path.join(stage, "scripts", "start", "sources.mjs");
  const { sourcesHash } = await import(hashed);
  writeFileSync(path.join(stage, ".next", "gatehouse-sources"), sourcesHash());
  mkdirSync(target, { recursive: true });
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", target];
  const name = execFileSync("npm", pack, { cwd: stage, encoding: "utf8" }).trim();
  console.log(path.join(target, name));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function copySources() {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8", maxBuffer: 1e8 }).trim().split("\n");
  for (const file of files) {
    if (!carried.some((pattern) => pattern.test(file)) || leftOut.test(file)) continue;
    const place = path.join(stage, file.replace(/\.ts$/, ".js"));
    mkdirSync(path.dirname(place), { recursive: true });
    if (!/^(contract|gateway|messages|scripts)\/.*\.(ts|mjs)$/.test(file)) {
      cpSync(file, place);
      continue;
    }
    const text = readFileSync(file, "utf8");
    const code = file.endsWith(".ts") ? module.stripTypeScriptTypes(text) : text;
    writeFileSync(place, code.replaceAll(typeScriptPath, ".js"));
  }
}

function writeManifests() {
  const { name, version, description, license, type, engines, imports, dependencies, ...rest } =
    read("package.json");
  const node = read("scripts/install/node-packages.json");
  if (node.version !== rest.devDependencies.node) throw new Error("Run: node scripts/complete-lock.mjs");
  const nodes = Object.fromEntries(Object.keys(node.packages).map((one) => [one, node.version]));
  const optionalDependencies = { ...rest.optionalDependencies, ...nodes };
  const bin = { gatehouse: "scripts/bin.mjs" };
  const own = { name, version, license, engines, bin, dependencies, optionalDependencies };
  write("package.json", { ...own, description, type, imports });
  const { packages, ...lock } = read("package-lock.json");
  const kept = Object.entries(packages).filter(([place, entry]) => place !== "" && !entry.dev);
  for (const [one, integrity] of Object.entries(node.packages)) {
    const [, os, cpu] = /(\w+)-(\w+)$/.exec(one);
    const entry = { version: node.version, integrity, optional: true, os: [os], cpu: [cpu] };
    kept.push([`node_modules/${one}`, { ...entry, bin: { node: "bin/node" } }]);
  }
  write("npm-shrinkwrap.json", { ...lock, packages: { "": own, ...Object.fromEntries(kept) } });
}

function read(name) {
  return JSON.parse(readFileSync(name, "utf8"));
}

function write(name, content) {
  writeFileSync(path.join(stage, name), `${JSON.stringify(content, null, 2)}\n`);
}
