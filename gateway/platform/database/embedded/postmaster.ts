import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A running server, as described by its `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  socketDir: string;
  ready: boolean;
}

/** The prefix of our socket folders' names. */
export const socketFolderPrefix = "gatehouse-";
const pollMs = 10;
/** How long the server may take to stop after each of three increasingly forceful signals. */
const stopTimeouts = [
  ["SIGINT", 10_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 2_000],
] as const;
/** Larger than any system's process ids. */
const noProcess = 2 ** 31 - 1;

/** The server that runs on this cluster, or null. */
export function runningPostmaster(cluster: string): Postmaster | null {
  const lines = pidLines(cluster);
  const pid = Number(lines?.[0]);
  if (!lines || !pid || !servesCluster(pid, cluster)) return null;
  return { pid, socketDir: lines[4] ?? "", ready: /^(ready|standby)\s*$/.test(lines[7] ?? "") };
}

/**
 * After a crash, `postmaster.pid` may name a process id that was reused, so that PostgreSQL would refuse to
 * start. Writes an impossible id into the file instead of deleting it, so that PostgreSQL still looks for
 * left-over shared memory.
 */
export function disownRecycledPid(cluster: string): void {
  const lines = pidLines(cluster);
  const pid = Number(lines?.[0]);
  if (!lines || !pid || !isAlive(pid) || servesCluster(pid, cluster)) return;
  writeFileSync(path.join(cluster, "postmaster.pid"), [noProcess, ...lines.slice(1)].join("\n"));
}

/** The socket folder that a killed server left, to be removed. */
export function leftSocketFolder(cluster: string): string | null {
  const folder = pidLines(cluster)?.[4];
  return folder && path.basename(folder).startsWith(socketFolderPrefix) ? folder : null;
}

/** Stops the server: clients are disconnected, data is written; the longer it takes, the more forcefully. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [signal, timeoutMs] of stopTimeouts) {
    if (!servesCluster(pid, cluster)) return;
    kill(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (!servesCluster(pid, cluster)) return;
      await sleep(pollMs);
    }
  }
}

function pidLines(cluster: string): string[] | null {
  const file = path.join(cluster, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : null;
}

function servesCluster(pid: number, cluster: string): boolean {
  return isAlive(pid) && commandLine(pid).includes(cluster);
}

/** The command line of a process; empty if the process has exited or is a zombie. */
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    if (existsSync("/proc/self")) return [];
    const answer = spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return answer.stdout?.trim().split(" ") ?? [];
  }
}

/** Whether a process with that id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
