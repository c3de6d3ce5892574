// All checks: npm test [-- --only unit,gateway]; npm run test:long [-- --only long] for the long series. npm
// test -- --changed: types, lint and the tests for the differences from main. Prints how long each step took
// and ends with the line "N passed, N failed". A skipped test counts as failed. No test gets a second try.
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkout, compileCache, fail, onParentExit, requireNode } from "./runtime.mjs";
import { changedFiles, testsOf } from "./test/changed.mjs";
import { playwrightCounts, structureCounts, vitestCounts } from "./test/counts.mjs";
import { leftOutBecause } from "./test/left-out.mjs";
import { clearAway, endRunning, runStep, seconds, table } from "./test/steps.mjs";

requireNode();
process.chdir(checkout);

const modules = (file) => path.join(checkout, "node_modules", file);
/**
 * The temporary folder of this run. At the end, servers that still run in it are stopped, and it is removed.
 */
const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-run-"));
chmodSync(folder, 0o755); // root runs the database as another user, who must be able to enter the folder.
const report = (name) => path.join(folder, `${name}.json`);
const readReport = (name) => JSON.parse(readFileSync(report(name), "utf8"));
/** A step that runs one or more of the projects in vitest.config.ts. */
const vitest = (...projects) => ({
  command: [
    ...[modules("vitest/vitest.mjs"), "run", "--reporter=default", "--reporter=json"],
    ...projects.map((project) => `--project=${project}`),
    `--outputFile.json=${report(projects[0])}`,
  ],
  count: (exit) => vitestCounts(exit, () => readReport(projects[0])),
});

/** A step that runs one of the projects in playwright.config.ts. */
const playwright = (project) => ({
  command: [modules("@playwright/test/cli.js"), "test", `--project=${project}`],
  environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report(`browser-${project}`) },
  count: (exit) => playwrightCounts(exit, () => readReport(`browser-${project}`)),
});

const isChangedOnly = process.argv.includes("--changed");
const concerned = isChangedOnly ? testsOf(changedFiles()) : [];

const steps = {
  types: {
    command: [
      [modules("next/dist/bin/next"), "typegen"],
      [modules("native-typescript/bin/tsc"), "--noEmit"],
    ],
  },
  lint: { command: [modules("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."] },
  structure: {
    command: [
      ...[modules("dependency-cruiser/bin/dependency-cruise.mjs"), "--config", ".dependency-cruiser.cjs"],
      ...["app", "components", "contract", "gateway", "lib", "messages"],
    ],
    count: structureCounts,
  },
  unused: { command: [modules("knip/bin/knip.js")] },
  unit: vitest("unit", "components"),
  gateway: vitest("gateway"),
  build: { command: ["scripts/build-console.mjs", "--if-changed"] },
  browser: { command: ["scripts/ensure-browser.ts"] },
  e2e: playwright("desktop"),
  stories: playwright("long"),
  languages: { command: ["scripts/ensure-long.mjs"] },
  long: vitest("long"),
  waiting: vitest("waiting"),
  upgrade: vitest("upgrade"),
  image: vitest("image"),
  changed: withFiles(vitest("unit", "components", "gateway"), concerned),
  programs: { command: ["scripts/ensure-cluster.mjs"] },
  cluster: {
    ...vitest("cluster"),
    command: ["scripts/in-namespaces.mjs", ...vitest("cluster").command, "--reporter=verbose"],
  },
};

/** The steps of each series in order, each with the steps that must end before it starts. */
const plans = {
  // The browser tests take longest, so the build comes first and the gateway's tests run beside them: while
  // one series waits, the other computes. `next typegen` and the build write the same folder.
  quick: {
    ...{ build: [], browser: [], e2e: ["build", "browser"] },
    ...{ lint: ["browser"], structure: ["browser"], unused: ["browser"] },
    ...{ unit: ["build"], types: ["build"], gateway: ["unit", "types"] },
  },
  // While `long` computes, the others run one after the other, of which upgrade, cluster and waiting mostly wait.
  // Languages and programs both need the system's package manager.
  long: {
    ...{ build: [], browser: [], languages: [], programs: ["languages"] },
    ...{ long: ["build", "programs"], upgrade: ["build"], cluster: ["upgrade", "programs"] },
    ...{ stories: ["build", "browser", "cluster"], waiting: ["build", "stories"] },
    ...{ image: ["long", "waiting"] },
  },
  changed: { types: [], lint: [], ...(concerned.length > 0 && { changed: [] }) },
};
const plan = plans[isChangedOnly ? "changed" : process.argv.includes("--long") ? "long" : "quick"];
const names = Object.keys(plan);

const at = process.argv.indexOf("--only");
const chosen = at > 0 ? (process.argv[at + 1] ?? "").split(",") : names.filter(canRun);
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`There is no step "${unknown}". The steps: ${names.join(", ")}.`);

/** The step for these test files only. */
function withFiles(step, files) {
  return { ...step, command: [...step.command, ...files] };
}

/** Reports a step that is left out, and what it would need. */
function canRun(name) {
  const reason = leftOutBecause(name);
  if (reason) console.log(`${name.padEnd(9)} │ left out: ${reason}`);
  return reason === null;
}

const environment = {
  ...process.env,
  TMPDIR: folder,
  NODE_COMPILE_CACHE: compileCache,
  NEXT_TELEMETRY_DISABLED: "1",
  CI: process.env.CI ?? "1",
};
const end = async () => {
  endRunning();
  await clearAway(folder);
  process.exit(130);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
const parentWatch = onParentExit(end);

const startedAt = performance.now();
/**
 * The end of each step by name: its result, or null for a step that was not chosen, which ends together with
 * the steps before it.
 */
const ends = new Map();
for (const name of names) {
  const before = Promise.all(plan[name].map((needed) => ends.get(needed)));
  ends.set(
    name,
    before.then(() => (chosen.includes(name) ? runStep(name, steps[name], environment) : null)),
  );
}
const results = (await Promise.all(ends.values())).filter((result) => result !== null);
clearInterval(parentWatch);
await clearAway(folder);
const sum = (counter) => results.reduce((total, result) => total + result[counter], 0);
console.log(`\n${table(results)}\nin all ${seconds(performance.now() - startedAt)}`);
const failures = results.filter(({ failed }) => failed > 0).map(({ name }) => name);
if (failures.length > 0) console.log(`\nFailed: ${failures.join(", ")}`);
for (const step of results) for (const failure of step.failures) console.log(`✗ ${step.name} │ ${failure}`);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(failures.length > 0 ? 1 : 0);
