import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { EmbeddedUnavailable, giveTo, majorVersion } from "./places.ts";
import { isAlive } from "./postmaster.ts";
import type { Programs } from "./programs.ts";

/** Owns the cluster; only set-up and tests connect as it. */
export const superuser = "postgres";
/** The gateway's role and database. Not a superuser, because the server may have root's file permissions. */
export const gatewayRole = "gatehouse";

/**
 * Creates the cluster if there is none. After an interruption there is either no cluster or a complete one.
 */
export async function ensureCluster(runner: Runner): Promise<"made" | "found"> {
  const { cluster } = runner;
  removeOldDrafts(cluster);
  if (existsSync(path.join(cluster, "PG_VERSION"))) {
    checkVersion(cluster);
    giveTo(cluster, runner.owner);
    return "found";
  }
  const draft = `${cluster}.init-${process.pid}`;
  mkdirSync(draft, { mode: 0o700 });
  chownSync(draft, runner.owner.uid, runner.owner.gid);
  const options = "-A trust -E UTF8 --no-locale --locale-provider=builtin --builtin-locale=C.UTF-8";
  await run(runner, "initdb", [
    "-D",
    draft,
    "-U",
    superuser,
    "--no-sync",
    "--no-instructions",
    ...options.split(" "),
  ]);
  await makeDatabase(runner, draft);
  await run(runner, "initdb", ["--sync-only", "-D", draft]);
  moveIntoPlace(draft, cluster);
  return "made";
}

async function makeDatabase(runner: Runner, draft: string): Promise<void> {
  const statements = [
    `CREATE ROLE ${gatewayRole} LOGIN;`,
    `CREATE DATABASE ${gatewayRole} OWNER ${gatewayRole};`,
    "",
  ].join("\n");
  const output = await run(runner, "postgres", ["--single", "-D", draft, "postgres"], statements);
  if (/\b(ERROR|FATAL|PANIC):/.test(output)) throw new Error(`the database could not be created:\n${output}`);
}

function moveIntoPlace(draft: string, cluster: string): void {
  try {
    renameSync(draft, cluster);
  } catch (error) {
    const lost = ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");
    rmSync(draft, { recursive: true, force: true });
    if (!lost) throw error; // If the move was lost, another process created the cluster first.
    return;
  }
  const parent = openSync(path.dirname(cluster), "r");
  fsyncSync(parent);
  closeSync(parent);
}

function checkVersion(cluster: string): void {
  const version = readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim();
  if (version !== majorVersion)
    throw new EmbeddedUnavailable(
      `${cluster} was created by PostgreSQL ${version}, but this release includes PostgreSQL ${majorVersion}.`,
    );
}

/** Removes unfinished clusters of dead processes. */
function removeOldDrafts(cluster: string): void {
  const prefix = `${path.basename(cluster)}.init-`;
  for (const name of readdirSync(path.dirname(cluster))) {
    if (!name.startsWith(prefix)) continue;
    const maker = Number(name.slice(prefix.length));
    if (maker !== process.pid && isAlive(maker)) continue;
    // The initdb of a dead process may still be writing.
    rmSync(path.join(path.dirname(cluster), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

function run(runner: Runner, program: "initdb" | "postgres", args: string[], input = ""): Promise<string> {
  const { command, args: words, options } = commandOf(runner, program, args);
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { ...options, stdio: "pipe" });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => output.push(String(text)));
    child.on("error", reject);
    child.stdin.on("error", () => {}); // The program ended before reading it; its `close` event reports that.
    child.stdin.end(input);
    child.on("close", (code) => {
      if (code === 0) resolve(output.join(""));
      else reject(new Error(`PostgreSQL's ${program} ended with ${code}:\n${output.join("").trim()}`));
    });
  });
}

/** How to run the server's programs: user, command prefix, program folder and cluster. */
export interface Runner {
  kind: "direct" | "setuid" | "namespace" | "relocated";
  programs: Programs;
  /** The cluster's real path without links, because it identifies the server. */
  cluster: string;
  /** The words before the program, such as a command that changes the user; usually empty. */
  prefix: string[];
  /** The user to run as; absent: the current one. */
  user?: { uid: number; gid: number };
  /** The user who must own the cluster's files. */
  owner: { uid: number; gid: number };
}

/** Command, arguments and options for `spawn` of one of the server's programs. */
export function commandOf(runner: Runner, program: "initdb" | "postgres", args: string[]) {
  const words = [...runner.prefix, path.join(runner.programs.folder, program), ...args];
  const [command = program, ...rest] = words;
  return {
    command,
    args: rest,
    options: { cwd: "/", env: serverEnvironment(), ...runner.user },
  };
}

/** Whether the server's programs start in this way and can access the cluster's folder. */
export function canRun(runner: Runner): boolean {
  const version = commandOf(runner, "postgres", ["--version"]);
  if (spawnSync(version.command, version.args, { ...version.options, stdio: "ignore" }).status !== 0)
    return false;
  return canEnter(path.dirname(runner.cluster), runner.user);
}

/** Whether the user can enter the folder; found out by trying, because file modes do not decide this completely. */
export function canEnter(folder: string, user: Runner["user"]): boolean {
  const options = { cwd: "/", stdio: "ignore", ...user } as const;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], options).status === 0;
}

/** The server's complete environment: the caller's PGDATA, LANG or TZ must not affect it. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_ENV } = process.env;
  return { PATH, NODE_ENV, LC_ALL: "C" };
}
