// Finds a Chromium for the browser tests, or installs one: node scripts/ensure-browser.mjs
import { spawnSync } from "node:child_process";
import { findBrowser } from "../e2e/browser.ts";

/** Another apt may be at work. */
const APT_LOCK_SECONDS = 300;

/** Finds one, or installs it: Playwright's own, else the system's package as root. Throws when neither works. */
function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  console.log("There is no Chromium here; installing one for the browser tests …");
  const installed = installWithPlaywright() || installWithApt();
  const browser = installed ? findBrowser() : null;
  if (browser) return browser;
  throw new Error(
    "The browser tests need Chromium, and it could not be installed. Install it (Debian: apt install chromium), or set CHROMIUM_PATH.",
  );
}

function installWithPlaywright() {
  const program = new URL("../node_modules/@playwright/test/cli.js", import.meta.url).pathname;
  return succeeds(process.execPath, [program, "install", "chromium"], "inherit");
}

function installWithApt() {
  if (process.getuid?.() !== 0 || !succeeds("apt-get", ["--version"], "ignore")) return false;
  const wait = ["-o", `DPkg::Lock::Timeout=${APT_LOCK_SECONDS}`];
  return (
    succeeds("apt-get", [...wait, "update", "-q"], "inherit") &&
    succeeds("apt-get", [...wait, "install", "-qy", "--no-install-recommends", "chromium"], "inherit")
  );
}

function succeeds(command, words, stdio) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, words, { stdio, env }).status === 0;
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
