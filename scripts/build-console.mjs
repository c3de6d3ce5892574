// Builds the console for production: node scripts/build-console.mjs [--if-changed]
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { checkout, requireNode } from "./runtime.mjs";
import { sourcesHash } from "./start/sources.mjs";

const PROGRESS_INTERVAL_MS = 10_000;
const output = path.join(checkout, ".next");
const marker = path.join(output, "gatehouse-sources");
export const nextProgram = createRequire(import.meta.url).resolve("next/dist/bin/next");

/** Whether `.next` has a complete build of the current sources. */
export function isBuilt() {
  if (!existsSync(marker) || !existsSync(path.join(output, "BUILD_ID"))) return false;
  return readFileSync(marker, "utf8") === sourcesHash();
}

/**
 * Builds the console. `report` gets progress lines. Rejects with the build's output if the build fails.
 * `signal` aborts it.
 */
export async function buildConsole(report, signal) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  rmSync(marker, { force: true });
  const hash = sourcesHash();
  report("Building the console (once, and after changes) …");
  const progress = setInterval(
    () => report(`Still building the console (${seconds()} s) …`),
    PROGRESS_INTERVAL_MS,
  );
  try {
    await runBuild(signal);
  } finally {
    clearInterval(progress);
  }
  writeFileSync(marker, hash);
  report(`Console built in ${seconds()} s`);
}

function runBuild(signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [nextProgram, "build"], {
      cwd: checkout,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    const words = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => words.push(String(chunk)));
    child.on("error", reject);
    child.on("close", (code, by) => {
      if (code === 0) resolve();
      else reject(new Error(`The console's build failed (${by ?? code}):\n${words.join("")}`));
    });
  });
}

if (process.argv[1] === import.meta.filename) {
  requireNode();
  if (process.argv.includes("--if-changed") && isBuilt()) console.log("The console is already built");
  else
    await buildConsole(console.log).catch((error) => {
      console.error(error.message);
      process.exitCode = 1;
    });
}
