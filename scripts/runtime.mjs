import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** From this version on, Node runs the gateway's TypeScript without a build. */
const NODE_NEEDED = [22, 18];

const parentCheckMs = 300;

// Old versions of Node get as far as `requireNode`: so nothing newer is imported or called before.
export const checkout = path.resolve(fileURLToPath(import.meta.url), "../..");
/** Where relative paths in settings and commands begin: for the npm package, the folder from which it was started. */
export const home = existsSync(path.join(checkout, "npm-shrinkwrap.json")) ? process.cwd() : checkout;
/** The cache of compiled modules and stripped types. Without it, starting takes twice as long. */
export const compileCache = path.join(checkout, "node_modules", ".cache", "node-compile");

/** Ends the program with a plain message if this Node cannot run the gateway; `instead` is the command for npm. */
export function requireNode(instead) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  fail(
    `Gatehouse needs Node ${NODE_NEEDED.join(".")} or newer, but this is ${process.versions.node}.`,
    `Start it with npm ("${instead}"), which uses the pinned Node 26 that "npm ci" installs with the other packages.`,
    'If you did, the package "node" is missing: run "npm ci" again, without --omit=dev and --ignore-scripts.',
  );
}

/** Reads `.env` of the checkout, or GATEHOUSE_ENV_FILE (empty: none). Variables that are already set stay. */
export function loadEnvironment() {
  const name = process.env.GATEHOUSE_ENV_FILE ?? ".env";
  const file = path.resolve(checkout, name);
  if (name && existsSync(file)) process.loadEnvFile(file);
}

/**
 * Calls `exited` when npm, which started this program, has ended. npm passes SIGTERM only to the shell
 * between itself and this program, which then ends silently, and a killed npm leaves that shell behind. Stop
 * watching with clearInterval on the result.
 */
export function onParentExit(exited) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  const npm = npmBehind(parent);
  return setInterval(() => {
    if (process.ppid !== parent || (npm !== null && !isAlive(npm))) exited();
  }, parentCheckMs);
}

/**
 * The process id of npm while a shell waits between npm and this program. Null if the shell has become this
 * program.
 */
function npmBehind(parent) {
  const script = process.env.npm_lifecycle_script;
  const shell = describeProcess(parent);
  return script && shell?.command.includes(script) ? shell.parent : null;
}

function describeProcess(pid) {
  try {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { parent: Number(parent), command };
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
    const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? "") ?? [];
    return parent ? { parent: Number(parent), command } : null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Prints a message and ends the program. */
export function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}
