import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { runningPostmaster, stopPostmaster } from "../../gateway/database/embedded/postmaster.ts";
import { exitCounts } from "./counts.mjs";

/** For output that is still on its way when a program has ended. */
const LAST_WORDS_MS = 2_000;
const running = new Set();

/** Runs a step, showing what it prints; its programs are ended with it. */
export async function runStep(name, { command, environment: own, count = exitCounts }, environment) {
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const commands = Array.isArray(command[0]) ? command : [command];
  let exit = { code: 0, output: "" };
  for (const words of commands) {
    exit = await runNode(words, { ...environment, ...own });
    if (exit.code !== 0) break;
  }
  const counts = count(exit);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`── ${name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`);
  return counts;
}

/** Ends what runs now. */
export function endRunning() {
  for (const child of running) endGroup(child);
}

/** Ends the database servers that a step left in the run's folder, and removes the folder. */
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
}

function runNode(words, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    running.add(child);
    const output = [];
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.on("data", (chunk) => {
        output.push(String(chunk));
        target.write(chunk);
      });
    }
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("exit", (code) => {
      endGroup(child); // a program that it left would hold the pipes open
      running.delete(child);
      const finish = () => resolve({ code: code ?? 1, output: output.join("") });
      child.once("close", finish);
      setTimeout(finish, LAST_WORDS_MS).unref();
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // all gone already
  }
}
