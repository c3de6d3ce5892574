import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { runningPostmaster, stopPostmaster } from "../../gateway/platform/database/embedded/postmaster.ts";
import { removeLeftovers } from "../../gateway/testing/leftovers.ts";
import { exitCounts } from "./counts.mjs";

/** Wait for remaining output after a program has ended. */
const lastOutputMs = 2_000;
/** A step that takes longer is stopped and counts as failed. */
const stepTimeoutMs = 40 * 60_000;
const running = new Set();

/**
 * Runs a step and prints its output, each line prefixed with its name. Its programs are stopped with it.
 * Resolves with its name, the counts, a line for each failed test that is known by name, and its duration.
 */
export async function runStep(name, { command, environment: own, count = exitCounts }, environment) {
  const report = (line) => console.log(`${name.padEnd(9)} │ ${line}`);
  report("started");
  const startedAt = performance.now();
  const commands = Array.isArray(command[0]) ? command : [command];
  let exit = { code: 0, output: "" };
  for (const words of commands) {
    exit = await runNode(words, { ...environment, ...own }, report);
    if (exit.code !== 0) break;
  }
  const counts = count(exit);
  const durationMs = performance.now() - startedAt;
  report(`${counts.passed} passed, ${counts.failed} failed in ${seconds(durationMs)}`);
  return { name, failures: [], files: [], ...counts, durationMs };
}

/** How many files of a step the summary names. */
const maxSlowest = 8;

/** One row per step: name, duration, passed and failed, then the slowest files of each step. */
export function table(results) {
  const row = (...cells) => cells.map((cell, at) => (at ? cell.padStart(10) : cell.padEnd(10))).join("");
  return [
    row("step", "time", "passed", "failed"),
    ...results.map(({ name, durationMs, passed, failed }) =>
      row(name, seconds(durationMs), String(passed), String(failed)),
    ),
    ...results.filter(({ files }) => files.length > 0).map(slowestLine),
  ].join("\n");
}

function slowestLine({ name, files }) {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, maxSlowest);
  return `slowest of ${name}: ${slowest.map((file) => `${file.name} ${seconds(file.ms)}`).join(", ")}`;
}

export function seconds(durationMs) {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

/** Stops the running steps. */
export function endRunning() {
  for (const child of running) endGroup(child);
}

/** Stops database servers that a step left in the run's folder, and removes the folder. */
export async function clearAway(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => path.basename(name) === "postmaster.pid")) {
    const cluster = path.dirname(path.join(folder, file));
    const left = runningPostmaster(cluster);
    if (!left) continue;
    console.error(`a database was left running (process ${left.pid}): ended`);
    await stopPostmaster(left.pid, cluster);
  }
  rmSync(folder, { recursive: true, force: true });
  await removeLeftovers();
}

function runNode(words, env, report) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    running.add(child);
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        report(line);
      });
    const timer = setTimeout(() => {
      report(`not done after ${seconds(stepTimeoutMs)}: ended`);
      endGroup(child);
    }, stepTimeoutMs);
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("exit", (code) => {
      clearTimeout(timer);
      endGroup(child); // A program left behind would keep the pipes open.
      running.delete(child);
      const finish = () => resolve({ code: code ?? 1, output: output.join("\n") });
      child.once("close", finish);
      setTimeout(finish, lastOutputMs).unref();
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // all have ended
  }
}
