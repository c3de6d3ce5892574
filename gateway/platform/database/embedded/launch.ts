import { spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { disownRecycledPid, type Postmaster, runningPostmaster, socketFolderPrefix } from "./postmaster.ts";
import { canEnter, commandOf, type Runner } from "./runner.ts";

/** Long, because after a power loss the server replays its log first. */
const startTimeoutMs = 120_000;
const pollMs = 5;
/** How often a start that takes long says what it waits for. */
const tellMs = 5_000;
/** The longest path of a socket; macOS has the lowest limit. */
const socketPathMax = 103;
const logMaxBytes = 5_000_000;
const logTailCharacters = 1_500;

const serverSettings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "64MB",
  // In the cluster's folder: a container's shared memory may be too small, and a killed server leaves nothing in it.
  dynamic_shared_memory_type: "mmap",
  max_connections: "50",
  jit: "off",
  io_method: "sync",
  autovacuum_naptime: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** The server exited while it was starting; `log` is the end of its output. */
export class LaunchFailed extends Error {
  constructor(log: string) {
    super(`the embedded PostgreSQL did not start:\n${log}`);
  }
}

/** Starts the server on its cluster and waits until it accepts connections. */
export async function launch(
  runner: Runner,
  socketDir: string,
  settings: Record<string, string> = {},
  log?: Logger,
): Promise<Postmaster> {
  disownRecycledPid(runner.cluster);
  makeSocketFolder(socketDir, runner);
  const logFile = `${runner.cluster}.log`;
  const output = openLog(logFile);
  const flags = Object.entries({ ...serverSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const { command, args, options } = commandOf(runner, "postgres", [
    "-D",
    runner.cluster,
    "-k",
    socketDir,
    ...flags,
  ]);
  // detached: Ctrl-C in the terminal must reach only the gateway, which stops the server last
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ["ignore", output.file, output.file],
  });
  closeSync(output.file);
  let ended = false;
  child.on("error", () => (ended = true));
  child.on("exit", () => (ended = true));
  child.unref();
  const deadline = Date.now() + startTimeoutMs;
  let tellAt = Date.now() + tellMs;
  while (!ended && Date.now() < deadline) {
    const postmaster = runningPostmaster(runner.cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    if (Date.now() > tellAt) {
      tellAt += tellMs;
      const said = readFileSync(logFile, "utf8").trimEnd().split("\n").at(-1);
      log?.warn({ said }, "waiting for PostgreSQL to start; after a kill it replays its log first");
    }
    await sleep(pollMs);
  }
  child.kill("SIGINT");
  throw new LaunchFailed(readFileSync(logFile, "utf8").slice(output.start).slice(-logTailCharacters).trim());
}

/** A new private folder for the server's socket that its user can enter. */
export function newSocketFolder(runner: Runner): string {
  const parents = [os.tmpdir(), "/tmp"].filter(
    (parent) => existsSync(parent) && canEnter(parent, runner.user) && fits(parent),
  );
  return mkdtempSync(path.join(parents[0] ?? os.tmpdir(), socketFolderPrefix));
}

function fits(parent: string): boolean {
  return path.join(parent, `${socketFolderPrefix}XXXXXX`, ".s.PGSQL.5432.lock").length <= socketPathMax;
}

function makeSocketFolder(folder: string, runner: Runner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid !== runner.owner.uid) chownSync(folder, runner.owner.uid, runner.owner.gid);
}

/** A file, not a pipe: the server may outlive this process. */
function openLog(file: string): { file: number; start: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const tooLong = size > logMaxBytes;
  return { file: openSync(file, tooLong ? "w" : "a", 0o600), start: tooLong ? 0 : size };
}
