import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../runtime.mjs";

const sourceFolders = [
  "app",
  "components",
  "contract",
  "deploy",
  "e2e",
  "gateway",
  "lib",
  "messages",
  "scripts",
];
const code = /\.(ts|tsx|mjs)$/;
const test = /\.test\.(ts|tsx|mjs)$/;
/** Tests of the long series and of the browser have their own commands. */
const leftOut = /\.(long|upgrade|cluster|image)\.test\.ts$/;
const specifier = /(?:from|import|import\()\s*"([^"]+)"/g;

/** Files that changed since this branch left `main`, committed or not, without deleted ones. */
export function changedFiles() {
  const base = git("merge-base", "HEAD", "main")[0] ?? "HEAD";
  const names = [
    ...git("diff", "--name-only", "--diff-filter=d", base),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return names.filter((name) => existsSync(path.join(checkout, name)));
}

/**
 * The test files for these files: those that changed, are in the folder of a changed file (or in the nearest
 * folder above with tests), or import a changed file. Chains of imports are not followed further, because
 * every test of the gateway imports all of it.
 */
export function testsOf(changed) {
  const files = sourceFolders.flatMap(filesIn).filter((file) => code.test(file));
  const tests = files.filter((file) => test.test(file) && !leftOut.test(file));
  const folders = new Set(tests.map(path.dirname));
  const beside = new Set(changed.filter((file) => code.test(file)).map((file) => nearest(folders, file)));
  const wanted = new Set(changed);
  return tests.filter(
    (file) =>
      wanted.has(file) || beside.has(path.dirname(file)) || importsOf(file).some((one) => wanted.has(one)),
  );
}

function nearest(folders, file) {
  let folder = path.dirname(file);
  while (folder !== "." && !folders.has(folder)) folder = path.dirname(folder);
  return folder;
}

function importsOf(file) {
  const text = readFileSync(path.join(checkout, file), "utf8");
  return [...text.matchAll(specifier)].flatMap(([, name]) => resolve(file, name));
}

/** The files that an import may mean, because the console's imports omit the extension. */
function resolve(file, name) {
  const target =
    /^[#@]\//.test(name) || /^#(contract|gateway)\//.test(name)
      ? name.replace(/^@\/|^#/, "")
      : name.startsWith(".") && path.join(path.dirname(file), name);
  return target ? [target, `${target}.ts`, `${target}.tsx`] : [];
}

function filesIn(folder) {
  return readdirSync(path.join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(checkout, path.join(entry.parentPath, entry.name)));
}

function git(...words) {
  const { stdout, status } = spawnSync("git", words, { cwd: checkout, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter(Boolean) : [];
}
