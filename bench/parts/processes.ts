import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

const startMs = 60_000;
const pollMs = 50;

const started = new Set<ChildProcess>();

/** A program under load, in its own process. */
export interface Program {
  child: ChildProcess;
  port: number;
  /** The processes of the program, if there are several. */
  pids?: number[];
}

/** Starts one of the benchmark's own programs, which sends its port as its first message. */
export async function startOwn(file: string, environment: Record<string, string> = {}): Promise<Program> {
  const child = fork(path.join(import.meta.dirname, "..", file), {
    env: { ...process.env, NODE_ENV: "production", ...environment },
  });
  started.add(child);
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}

/** Starts `node` with its output in `logFile`, and waits until `url` answers. */
export async function startNode(
  args: string[],
  options: { environment: Record<string, string>; logFile: string; port: number; url: string; cwd: string },
): Promise<Program> {
  const log = openSync(options.logFile, "w");
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: { ...process.env, NODE_ENV: "production", ...options.environment },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  started.add(child);
  const deadline = Date.now() + startMs;
  while (!(await answers(options.url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(
        `${args.join(" ")} did not start:\n${readFileSync(options.logFile, "utf8").slice(-2000)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return { child, port: options.port };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Stops all started programs, newest first, and waits for them. */
export async function stopPrograms(): Promise<void> {
  for (const child of [...started].toReversed()) {
    started.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/**
 * Processor seconds of a program with all its processes and threads. Null if the system does not report them.
 */
export function processorSeconds({ child, pids = [child.pid ?? 0] }: Program): number | null {
  try {
    return pids.reduce((sum, pid) => sum + secondsOf(pid), 0);
  } catch {
    return null;
  }
}

/** In nanoseconds, because the ticks of `/proc/…/stat` are longer than many requests. */
function secondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ranNs = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return ranNs.reduce((sum, ns) => sum + ns, 0) / 1e9;
}
