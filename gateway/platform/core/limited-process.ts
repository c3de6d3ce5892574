import { existsSync } from "node:fs";

export const prlimit = "/usr/bin/prlimit";

/** Limits for a program that reads strangers' files. */
interface ProcessLimits {
  /** Private memory of the program, and of each program that it starts. */
  dataBytes: number;
  /** The largest file that the program may write. */
  fileBytes: number;
  openFiles: number;
  /** Processor time of the program, and of each program that it starts. */
  cpuSeconds: number;
}

/** The command with these limits; unchanged if the system has no prlimit (util-linux). */
export function limitedCommand(command: string, args: string[], limits: ProcessLimits): [string, string[]] {
  if (!existsSync(prlimit)) return [command, args];
  const flags = [
    `--data=${limits.dataBytes}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${limits.openFiles}`,
    `--cpu=${limits.cpuSeconds}`,
    "--core=0",
  ];
  return [prlimit, [...flags, command, ...args]];
}

/** Kills the process and everything it started; it must lead its own process group (`detached`). */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The process has already exited.
  }
}

/** The environment of a program that reads strangers' files: the search path, Node's cache, and nothing secret. */
export function bareEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return {
    ...{ NODE_ENV: "production", PATH, LANG: "C.UTF-8" },
    // Stripping types and compiling take a quarter of a picture's processor time.
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...more,
  };
}
