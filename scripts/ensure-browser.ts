// Finds a Chromium for the browser tests, or installs one: node scripts/ensure-browser.ts
import path from "node:path";
import { installWithApt, succeeds } from "./install/apt.ts";
import { findBrowser } from "./install/find-browser.ts";

/**
 * Finds a Chromium or installs one: Playwright's own, otherwise the system's package as root. Throws if
 * neither works.
 */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  console.log("There is no Chromium here; installing one for the browser …");
  const installed =
    installWithPlaywright() || installWithApt(["chromium-headless-shell"]) || installWithApt(["chromium"]);
  const browser = installed ? findBrowser() : null;
  if (browser) return browser;
  throw new Error(
    "A browser is needed, and Chromium could not be installed. Install it (Debian: apt install chromium), or set CHROMIUM_PATH.",
  );
}

function installWithPlaywright(): boolean {
  const program = path.join(import.meta.dirname, "..", "node_modules", "@playwright", "test", "cli.js");
  return succeeds(process.execPath, [program, "install", "chromium"]);
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
