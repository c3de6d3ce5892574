import type { ChildProcess } from "node:child_process";
import { answersSoon, endProgram, freePort, type ProgramOptions, spawnProgram } from "./program.ts";

/** One gateway process of several that share a database. */
export interface Member {
  program: ChildProcess;
  /** Ends in `/v1`. */
  url: string;
  /** Its log lines at `warn` or above, one JSON line each. */
  complaints: string[];
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface Fleet {
  /** Starts a process and waits until it answers. */
  start(settings?: Record<string, string>, options?: ProgramOptions): Promise<Member>;
  close(): Promise<void>;
}

/** Starts processes with settings in common. */
export function makeFleet(common: Record<string, string>): Fleet {
  const members: Member[] = [];
  return {
    async start(settings = {}, options = {}) {
      const port = settings.GATEWAY_PORT ?? String(await freePort());
      const own = { GATEWAY_PORT: port, LOG_LEVEL: "warn", ...settings };
      const program = spawnProgram({ ...common, ...own }, options);
      const complaints: string[] = [];
      for (const stream of [program.stdout, program.stderr])
        stream?.on("data", (text: Buffer) => complaints.push(...text.toString().trimEnd().split("\n")));
      const member: Member = {
        program,
        url: `http://127.0.0.1:${port}/v1`,
        complaints,
        end: (signal = "SIGTERM") => endProgram(program, signal),
      };
      members.push(member);
      if (!(await answersSoon(program)))
        throw new Error(`A gateway ended before it answered:\n${complaints.join("\n")}`);
      program.stdout?.resume();
      return member;
    },
    async close() {
      await Promise.all(members.map((member) => member.end()));
    },
  };
}
