import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";

export const programOwner = { email: "owner@example.com", password: "correct-horse-battery" };

/** The cache of `npm start`, which the next test run uses as well. */
const compileCache = path.resolve(import.meta.dirname, "../../node_modules/.cache/node-compile");

/** The tree of a program, and the command that it runs under. */
export interface ProgramOptions {
  /** Another source tree than this one. */
  release?: string | undefined;
  /** Words before the command, such as those that enter a network namespace. */
  under?: string[] | undefined;
}

/** Starts the real program on a data folder of its own, like `npm start`; it may not answer yet. */
export function spawnProgram(
  environment: Record<string, string>,
  { release, under = [] }: ProgramOptions = {},
): ChildProcess {
  const base = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" as const },
    // Compiling takes half of a start.
    NODE_COMPILE_CACHE: compileCache,
  };
  const owner = { OWNER_EMAIL: programOwner.email, OWNER_PASSWORD: programOwner.password };
  const [command = "", ...words] = [...under, process.execPath, "gateway/main.ts"];
  const program = spawn(command, words, {
    cwd: release,
    env: { ...base, ...owner, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  program.stderr.resume();
  return program;
}

/** Resolves with true once the program answers; with false if it ended before. */
export async function answersSoon(program: ChildProcess): Promise<boolean> {
  const output = program.stdout;
  if (!output) return false;
  for await (const line of createInterface({ input: output })) {
    if (!line.startsWith("Gateway ready")) continue;
    output.resume();
    return true;
  }
  return false;
}

/** Sends the signal and waits until the program is gone. */
export async function endProgram(program: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, "exit");
  program.kill(signal);
  await gone;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
