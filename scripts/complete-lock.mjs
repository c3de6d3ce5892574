// Completes package-lock.json. Run it after every change of the lock: node scripts/complete-lock.mjs
// - It adds the optional platform packages that a partial registry left out. npm omits packages that it
// cannot find at install time and later refuses the lock ("Missing … from lock file").
// - It adds the `integrity` that such packages lack, if a user installs them, and writes that of the Nodes that
// the npm tarball brings along into install/node-packages.json.
// - It removes `engines` that exclude the oldest Node with which people may install. npm compares them with
// the Node on which npm runs, but the packages run on the pinned Node 26 of the package "node".
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { admitsNode, oldestNode } from "./install/engines.mjs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const OS = [
  "darwin",
  "linux",
  "win32",
  "freebsd",
  "android",
  "openharmony",
  "sunos",
  "openbsd",
  "netbsd",
  "aix",
];
const CPU = ["x64", "arm64", "arm", "ia32", "riscv64", "s390x", "ppc64", "loong64", "mips64el", "wasm32"];

/** The platform in a package's name, in the form of the lock file's fields. */
function platformOf(name) {
  const words = name.split("/").pop().split(/[-_]/);
  const has = (list) => list.filter((word) => words.includes(word));
  const os = has(OS);
  const cpu = has(CPU);
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return { ...(os.length && { os }), ...(cpu.length && { cpu }), ...(libc.length && { libc }) };
}

/** Whether `name` resolves from `from` in the way in which Node walks up node_modules. */
function resolves(from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf("/node_modules/"))) {
    if (lock.packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (!at.includes("/node_modules/")) break;
  }
  return Boolean(lock.packages[`node_modules/${name}`]);
}

let added = 0;
let admitted = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  if (entry.engines?.node && !admitsNode(entry.engines.node, oldestNode)) {
    delete entry.engines;
    admitted += 1;
  }
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolves(path, name)) continue;
    const version = range.replace(/^[\^~]/, "");
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(entry.dev && { dev: true }),
      optional: true,
      ...platformOf(name),
    };
    added += 1;
  }
}
let found = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.integrity || entry.dev || entry.link) continue;
  entry.integrity = integrityOf(path.split("node_modules/").pop(), entry.version);
  found += 1;
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(
  `package-lock.json: ${added} optional platform packages and ${found} integrities added, ${admitted} engines left out`,
);

const nodesFile = "scripts/install/node-packages.json";
const nodes = JSON.parse(readFileSync(nodesFile, "utf8"));
const { version } = lock.packages["node_modules/node"];
if (nodes.version !== version) {
  const packages = Object.keys(nodes.packages).map((name) => [name, integrityOf(name, version)]);
  writeFileSync(
    nodesFile,
    `${JSON.stringify({ version, packages: Object.fromEntries(packages) }, null, 2)}\n`,
  );
  console.log(`${nodesFile}: Node ${version}`);
}

/** The hash of a package's tarball, from the registry. Throws if the registry does not have the package. */
function integrityOf(name, version) {
  const output = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" });
  if (!/^sha512-\S+$/.test(output.trim())) throw new Error(`npm has no integrity of ${name}@${version}`);
  return output.trim();
}
