import { type StdioOptions, spawnSync } from "node:child_process";

/** How long to wait for another apt process. */
const aptLockSeconds = 300;

/** Installs Debian packages if this process is root and apt exists. Returns whether it worked. */
export function installWithApt(packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !succeeds("apt-get", ["--version"], "ignore")) return false;
  const wait = ["-o", `DPkg::Lock::Timeout=${aptLockSeconds}`];
  const install = () =>
    succeeds("apt-get", [...wait, "install", "-qy", "--no-install-recommends", ...packages]);
  return succeeds("apt-get", [...wait, "update", "-q"]) && (install() || (repair(wait) && install()));
}

/** Finishes an interrupted installation. */
function repair(wait: string[]): boolean {
  succeeds("dpkg", ["--configure", "-a"]);
  return succeeds("apt-get", [...wait, "install", "-qy", "--fix-broken"]);
}

/** Runs a program. Returns whether it exists and succeeded. */
export function succeeds(command: string, words: string[], stdio: StdioOptions = "inherit"): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, words, { stdio, env }).status === 0;
}
