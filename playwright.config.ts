import { defineConfig, devices } from "@playwright/test";
import { findBrowser } from "./scripts/install/find-browser.ts";

const executablePath = findBrowser();
const isRoot = process.getuid?.() === 0;
const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;
/** Stories of many minutes and pages: part of `npm run test:long`. */
const long = "**/*.long.spec.ts";

export default defineConfig({
  testDir: "e2e",
  // Another runner has the journeys.
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  globalTimeout: 2_400_000,
  // Some start their own gateway and console first, and the machine may be slow.
  timeout: 240_000,
  // As patient as `expect.poll` of the other runner.
  expect: { timeout: 20_000 },
  // each worker has its own gateway, whose owner its tests share
  workers: 2,
  // the next test runs on whichever worker is free
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ...(jsonReport ? [["json", { outputFile: jsonReport }] as const] : [])],
  use: {
    // Tracing every test would take half as long again: use `npm run test:e2e -- --trace on`.
    screenshot: "only-on-failure",
    // A spinner is repainted sixty times a second, and axe must not measure a colour half-way.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(executablePath && { executablePath }),
      chromiumSandbox: !isRoot,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "desktop", testIgnore: long, use: { ...devices["Desktop Chrome"] } },
    { name: "long", testMatch: long, timeout: 600_000, use: { ...devices["Desktop Chrome"] } },
  ],
});
