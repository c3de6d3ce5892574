import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const installMs = 180_000;

/** Installs a package that only a benchmark needs. Throws if that fails. */
export function installPackages(
  folder: string,
  manifest: { dependencies: Record<string, string>; overrides?: Record<string, string> },
): void {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ private: true, type: "module", ...manifest });
  writeFileSync(path.join(folder, "package.json"), text);
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    timeout: installMs,
    stdio: "pipe",
  });
}
