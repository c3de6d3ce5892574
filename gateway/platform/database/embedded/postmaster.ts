import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

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

/**
 * The advisory lock held by the owner of an embedded server; it ends with its connection, even at kill -9.
 */
const ownerLock = 4_747_001;

const connectTimeoutMs = 5_000;

const namePrefix = "gatehouse owner, process ";

export interface Claim {
  /** Resolves when the connection that holds the claim ends. */
  lost: Promise<void>;
  /** Connections that the server admits. */
  connections: number;
  release(): Promise<void>;
}

type Answer =
  | ({ state: "won" } & Claim)
  | { state: "held"; holder: string }
  /** Its socket no longer exists, so nothing can use the server. */
  | { state: "gone" }
  | { state: "silent"; reason: string };

/** Tries to become the owner of a running server; `holder` names the current owner. */
export async function claimServer(connection: {
  host: string;
  user: string;
  database: string;
}): Promise<Answer> {
  const client = new pg.Client({
    ...connection,
    application_name: `${namePrefix}${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  client.on("error", () => {}); // The connection's `end` event reports the failure.
  try {
    await client.connect();
    const answer = await client.query<{ won: boolean; connections: number }>(
      "select pg_try_advisory_lock($1) as won, current_setting('max_connections')::int as connections",
      [ownerLock],
    );
    const { won, connections = 0 } = answer.rows[0] ?? {};
    if (won) return { state: "won", lost, connections, release: () => client.end() };
    const holder = await holderOf(client);
    await client.end();
    return { state: "held", holder };
  } catch (error) {
    await client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ECONNREFUSED"
      ? { state: "gone" }
      : { state: "silent", reason: message };
  }
}

async function holderOf(client: pg.Client): Promise<string> {
  const answer = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [ownerLock],
  );
  return answer.rows[0]?.name.replace(namePrefix, "process ") ?? "just ending";
}
