import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { newRunFolder } from "./leftovers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the previous release. */
    previousRelease: string;
  }
}

const checkout = path.resolve(import.meta.dirname, "../..");
const parts = ["package.json", "package-lock.json", ".npmrc", "contract", "gateway", "scripts"];

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/**
 * Checks out the previous release, whose commit is in deploy/previous-release, once for all test files. It uses
 * this tree's packages, or its own where it needs other versions.
 */
export default function setUp(project: TestProject): () => void {
  const folder = newRunFolder(os.tmpdir());
  checkOut(folder);
  project.provide("previousRelease", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

function checkOut(folder: string): void {
  const commit = readFileSync(path.join(checkout, "deploy/previous-release"), "utf8").trim();
  if (!hasCommit(commit)) git(["fetch", "--quiet", "--depth=1", "origin", commit]);
  if (!hasCommit(commit))
    throw new Error(
      `This test runs the release before, commit ${commit} (deploy/previous-release), and this clone's history does not ` +
        `reach it. Run "git fetch --unshallow" (or "git fetch origin ${commit}") in a git clone and try again.`,
    );
  const unpack = 'git archive --format=tar "$1" -- $3 | tar -x -C "$2"';
  run("sh", ["-c", unpack, "sh", commit, folder, parts.join(" ")], checkout);
  if (needsNoOther(folder, manifest(folder), manifest(checkout)))
    symlinkSync(path.join(checkout, "node_modules"), path.join(folder, "node_modules"));
  else run("npm", ["ci", "--no-audit", "--no-fund", "--omit=dev"], folder);
}

function hasCommit(commit: string): boolean {
  return git(["cat-file", "-e", `${commit}^{commit}`]);
}

function git(words: string[]): boolean {
  const { error, status } = spawnSync("git", words, { cwd: checkout, stdio: "ignore" });
  if (error) throw new Error(`This test needs git: ${error.message}`);
  return status === 0;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}

/** Packages that only the console imports do not matter, because the console is not started. */
function needsNoOther(folder: string, before: Manifest, now: Manifest): boolean {
  const packages = (from: Manifest) => ({ ...from.dependencies, ...from.optionalDependencies });
  const installed = packages(now);
  return Object.entries(packages(before)).every(
    ([name, version]) => installed[name] === version || !isImported(folder, name),
  );
}

function isImported(folder: string, name: string): boolean {
  const { status } = spawnSync("grep", ["-rqE", `"${name}["/]`, "gateway", "contract"], { cwd: folder });
  return status === 0;
}

function run(command: string, words: string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} failed: ${stderr}`);
}
