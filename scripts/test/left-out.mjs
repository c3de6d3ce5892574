import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const succeeds = (command, ...words) => spawnSync(command, words, { stdio: "ignore" }).status === 0;

function withoutPreviousRelease() {
  const commit = readFileSync("deploy/previous-release", "utf8").trim();
  const isThere = () => succeeds("git", "cat-file", "-e", `${commit}^{commit}`);
  if (isThere() || (succeeds("git", "fetch", "--quiet", "--depth=1", "origin", commit) && isThere()))
    return null;
  return `this clone's history does not reach commit ${commit}; run "git fetch --unshallow"`;
}

function withoutNamespaces() {
  if (process.getuid?.() === 0 && succeeds("unshare", "--net", "--pid", "--mount", "--fork", "true"))
    return null;
  return "it needs root on Linux, with the right to make namespaces";
}

const reasons = {
  upgrade: withoutPreviousRelease,
  image: () => "it builds for minutes; npm run test:image runs it",
  programs: withoutNamespaces,
  cluster: withoutNamespaces,
};

/**
 * Why a step of the long series cannot run on this machine. Null if it can. A step named by --only runs
 * anyway, and fails.
 */
export function leftOutBecause(step) {
  return reasons[step]?.() ?? null;
}
