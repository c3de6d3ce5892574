import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { checkout, compileCache } from "../runtime.mjs";

const withParent = path.join(checkout, "scripts", "start", "with-parent.mjs");

/** The started programs, and how they end together. */
export class Children {
  #running = new Map();
  #stopping = null;
  /** A program that has not ended after this time is killed. */
  #stopTimeoutMs;
  /** Called with the name and exit of a program that ends unexpectedly. */
  onDeath = () => {};

  constructor(stopTimeoutMs) {
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  /**
   * Starts a Node program with exactly this environment in this folder. `onLine` gets its output line by line. The program
   * is detached, so that Ctrl-C reaches only the starter.
   */
  start(name, words, { folder, environment, onLine }) {
    const child = spawn(process.execPath, ["--import", withParent, ...words], {
      cwd: folder,
      env: { NODE_COMPILE_CACHE: compileCache, STARTER_PID: String(process.pid), ...environment },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      detached: true,
    });
    createInterface({ input: child.stdout }).on("line", onLine);
    const ended = new Promise((resolve) => {
      child.once("error", (error) => resolve({ error }));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    this.#running.set(name, { child, ended });
    ended.then((exit) => {
      this.#running.delete(name);
      if (!this.#stopping) this.onDeath(name, exit);
    });
    return ended;
  }

  get stopping() {
    return this.#stopping !== null;
  }

  /** Asks every program to end, waits, and kills the others. Resolves when all have ended. */
  stop() {
    this.#stopping ??= Promise.all(
      [...this.#running.values()].map((running) => stopChild(running, this.#stopTimeoutMs)),
    );
    return this.#stopping;
  }

  /** Kills all programs now. */
  kill() {
    for (const { child } of this.#running.values()) signalGroup(child, "SIGKILL");
  }
}

async function stopChild({ child, ended }, timeoutMs) {
  child.kill("SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), timeoutMs);
  await ended;
  clearTimeout(timer);
  signalGroup(child, "SIGKILL"); // Processes that the program left behind.
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // already gone
  }
}
