// Every check of the house, one after the other: npm test [-- --only unit,gateway]
// Ends with the line "N passed, N failed"; a skipped test counts as failed.
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkout, fail, requireNode } from "./runtime.mjs";
import { playwrightCounts, structureCounts, vitestCounts } from "./test/counts.mjs";
import { clearAway, endRunning, runStep } from "./test/steps.mjs";

requireNode();
process.chdir(checkout);

const modules = (file) => path.join(checkout, "node_modules", file);
/** Everything temporary of this run; what is left in it is ended and removed. */
const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-run-"));
chmodSync(folder, 0o755); // root hands the database to another user, who must get in
const report = (name) => path.join(folder, `${name}.json`);
const readReport = (name) => JSON.parse(readFileSync(report(name), "utf8"));
const vitest = (project) => ({
  command: [
    ...[modules("vitest/vitest.mjs"), "run", "--project", project, "--reporter=default", "--reporter=json"],
    `--outputFile.json=${report(project)}`,
  ],
  count: (exit) => vitestCounts(exit, () => readReport(project)),
});

const steps = {
  types: {
    command: [
      [modules("next/dist/bin/next"), "typegen"],
      [modules("typescript/bin/tsc"), "--noEmit"],
    ],
  },
  lint: { command: [modules("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."] },
  structure: {
    command: [
      ...[modules("dependency-cruiser/bin/dependency-cruise.mjs"), "--config", ".dependency-cruiser.cjs"],
      ...["app", "components", "contract", "gateway", "lib"],
    ],
    count: structureCounts,
  },
  unused: { command: [modules("knip/bin/knip.js")] },
  unit: vitest("unit"),
  gateway: vitest("gateway"),
  build: { command: ["scripts/build-console.mjs", "--if-changed"] },
  browser: { command: ["scripts/ensure-browser.mjs"] },
  e2e: {
    command: [modules("@playwright/test/cli.js"), "test"],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report("e2e") },
    count: (exit) => playwrightCounts(exit, () => readReport("e2e")),
  },
};

const at = process.argv.indexOf("--only");
const chosen = at > 0 ? (process.argv[at + 1] ?? "").split(",") : Object.keys(steps);
const unknown = chosen.find((name) => !(name in steps));
if (unknown !== undefined)
  fail(`There is no step "${unknown}". The steps: ${Object.keys(steps).join(", ")}.`);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, async () => {
    endRunning();
    await clearAway(folder);
    process.exit(130);
  });
}

const environment = {
  ...process.env,
  TMPDIR: folder,
  NEXT_TELEMETRY_DISABLED: "1",
  CI: process.env.CI ?? "1",
};
const total = { passed: 0, failed: 0 };
const failures = [];
for (const name of chosen) {
  const { passed, failed } = await runStep(name, steps[name], environment);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(name);
}
await clearAway(folder);
if (failures.length > 0) console.log(`\nFailed: ${failures.join(", ")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
