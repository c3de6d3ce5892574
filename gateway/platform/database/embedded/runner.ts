import { spawnSync } from "node:child_process";
import path from "node:path";

/** How the server's programs are run: as which user, with which prefix, from which folder, on which cluster. */
export interface Runner {
  kind: "direct" | "setuid" | "namespace" | "relocated";
  /** Holds `bin`, `lib` and `share`. */
  binaries: string;
  /** The cluster's real folder: no link in it, since the server is recognised by this path. */
  cluster: string;
  /** The command that the program is an argument of, if any. */
  prefix: string[];
  /** The user to run as; absent: the current one. */
  user?: { uid: number; gid: number };
  /** The user who must own the cluster's files. */
  owner: { uid: number; gid: number };
}

/** Command, arguments and options for `spawn` of one of the server's programs. */
export function commandOf(runner: Runner, program: "initdb" | "postgres", args: string[]) {
  const words = [...runner.prefix, path.join(runner.binaries, "bin", program), ...args];
  const [command = program, ...rest] = words;
  return {
    command,
    args: rest,
    options: { cwd: "/", env: serverEnvironment(), ...runner.user },
  };
}

/** Whether the server's programs start this way and can reach the folder of the cluster. */
export function canRun(runner: Runner): boolean {
  const version = commandOf(runner, "postgres", ["--version"]);
  if (spawnSync(version.command, version.args, { ...version.options, stdio: "ignore" }).status !== 0)
    return false;
  return canEnter(path.dirname(runner.cluster), runner.user);
}

/** Whether that user can enter the folder (tested, since modes do not tell everything). */
export function canEnter(folder: string, user: Runner["user"]): boolean {
  const options = { cwd: "/", stdio: "ignore", ...user } as const;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], options).status === 0;
}

/** The whole environment of the server: the caller's PGDATA, LANG or TZ must not change it. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_ENV } = process.env;
  return { PATH, NODE_ENV, LC_ALL: "C" };
}
