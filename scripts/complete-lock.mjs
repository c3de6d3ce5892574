// Completes package-lock.json. Run it after every change of the lock: node scripts/complete-lock.mjs
// - It adds the optional platform packages that a partial registry left out. npm omits packages that it
// cannot find at install time and later refuses the lock ("Missing … from lock file").
// - It removes `engines` that exclude the oldest Node with which people may install. npm compares them with
// the Node on which npm runs, but the packages run on the pinned Node 26 of the package "node".
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
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`package-lock.json: ${added} optional platform packages added, ${admitted} engines left out`);
