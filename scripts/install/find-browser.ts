import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const INSTALLED = [
  // The same engine, without windows and the code that draws them.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a working Chromium, or null. If CHROMIUM_PATH is set, it is the only candidate. */
export function findBrowser(): string | null {
  const chosen = process.env.CHROMIUM_PATH?.trim();
  const candidates = chosen ? [chosen] : [...INSTALLED, chromium.executablePath()];
  return candidates.find((file) => existsSync(file) && starts(file)) ?? null;
}

function starts(file: string): boolean {
  return spawnSync(file, ["--version"], { stdio: "ignore" }).status === 0;
}
