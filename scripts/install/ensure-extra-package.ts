import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * An npm package that few people need. It is installed outside the project, and is not one of its
 * dependencies.
 */
export interface ExtraPackage {
  name: string;
  version: string;
  /** Path in the package of the file that its users run or import. */
  file: string;
}

const folderOf = ({ name, version }: ExtraPackage) =>
  path.join(
    import.meta.dirname,
    "../../node_modules/.cache/extra-packages",
    `${name.replace("/", "+")}@${version}`,
  );

/** Path of the package's file, whether or not the package is installed. */
export function extraPackageFile(beside: ExtraPackage): string {
  return path.join(folderOf(beside), "node_modules", beside.name, beside.file);
}

/** Installs the package if it is missing. Sets the exit code if that fails. */
export function ensureExtraPackage(what: string, beside: ExtraPackage): void {
  if (existsSync(extraPackageFile(beside))) return;
  const { name, version } = beside;
  console.log(`Installing ${name} ${version} for ${what} …`);
  const folder = folderOf(beside);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"private": true}');
  const words = ["install", `${name}@${version}`, "--ignore-scripts", "--no-audit", "--no-fund"];
  // npm uses the Node that runs this script.
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
  };
  const { status } = spawnSync("npm", words, { cwd: folder, env, stdio: "inherit" });
  if (status === 0 && existsSync(extraPackageFile(beside))) return;
  console.error(`${name} could not be installed from the npm registry: ${what} cannot run.`);
  process.exitCode = 1;
}
