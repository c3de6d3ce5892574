import { existsSync } from "node:fs";
import path from "node:path";

/** The gateway's TypeScript runs without a build, which Node supports from this version on. */
const NODE_NEEDED = [22, 18];

const parentCheckMs = 300;

export const checkout = path.resolve(import.meta.dirname, "..");

/** Ends the program with a plain message when this Node cannot run the gateway. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  fail(
    `Gatehouse needs Node ${NODE_NEEDED.join(".")} or newer, and this is ${process.versions.node}.`,
    'Start it with npm ("npm start"): that uses the pinned Node 24 which "npm ci" installs with the other packages.',
    'If you did, the package "node" is not in place: run "npm ci" again, without --omit=dev and --ignore-scripts.',
  );
}

/** Reads `.env` of the checkout, or GATEHOUSE_ENV_FILE (empty: none); variables that are already set are kept. */
export function loadEnvironment() {
  const name = process.env.GATEHOUSE_ENV_FILE ?? ".env";
  const file = path.resolve(checkout, name);
  if (name && existsSync(file)) process.loadEnvFile(file);
}

/**
 * npm passes SIGTERM to the shell between it and us, which ends silently; calls `exited` then. Clear what it returns.
 */
export function onParentExit(exited) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  return setInterval(() => process.ppid !== parent && exited(), parentCheckMs);
}

/** Prints a message for people and ends the program. */
export function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}
