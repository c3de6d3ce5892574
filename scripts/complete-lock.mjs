// Completes package-lock.json with the optional platform packages that a partial registry left out.
// npm omits what it cannot find at install time and later refuses the lock ("Missing … from lock file"),
// so run this after every change of the lock: node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";

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

/** What a platform package's name says about where it installs, in the lock's own fields. */
function platformOf(name) {
  const words = name.split("/").pop().split(/[-_]/);
  const has = (list) => list.filter((word) => words.includes(word));
  const os = has(OS);
  const cpu = has(CPU);
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return { ...(os.length && { os }), ...(cpu.length && { cpu }), ...(libc.length && { libc }) };
}

/** Whether `name` resolves from `from` the way Node walks up node_modules. */
function resolves(from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf("/node_modules/"))) {
    if (lock.packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (!at.includes("/node_modules/")) break;
  }
  return Boolean(lock.packages[`node_modules/${name}`]);
}

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
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
console.log(`package-lock.json: ${added} optional platform packages added`);
