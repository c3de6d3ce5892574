import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { clusterFolder } from "#gateway/platform/database/embedded/places.ts";
import { runningPostmaster, stopPostmaster } from "#gateway/platform/database/embedded/postmaster.ts";
import { endProgram } from "#gateway/testing/program.ts";

const minutes = 600_000;
/** If the console is not built yet, it is built first. */
const soon = { timeout: 240_000, interval: 100 };

interface Starter {
  program: ChildProcess;
  /** The output so far. */
  output(): string;
  /** The process id of one of the started programs. */
  pidOf(name: "gateway" | "console"): number;
}

/** `npm start` on an empty data folder, with a port that it chooses. */
function start(words: string[], settings: Record<string, string> = {}): Starter {
  const dataDir = mkdtempSync(path.join(inject("testServer").folder, "start-"));
  const program = spawn(process.execPath, ["scripts/start.mjs", ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      GATEHOUSE_ENV_FILE: "",
      GATEHOUSE_DATA_DIR: dataDir,
      GATEWAY_PORT: "0",
      PORT: "0",
      ...settings,
    },
  });
  const lines: string[] = [];
  for (const output of [program.stdout, program.stderr])
    output.on("data", (chunk) => void lines.push(String(chunk)));
  onTestFinished(async () => {
    await endProgram(program, "SIGTERM");
    const left = runningPostmaster(clusterFolder(dataDir));
    if (left) await stopPostmaster(left.pid, clusterFolder(dataDir));
  });
  return {
    program,
    output: () => lines.join(""),
    pidOf(name) {
      // Next overwrites its command line with its own title.
      const mark = name === "gateway" ? "gateway/main.ts" : "next-server";
      const children = execFileSync("pgrep", ["-P", String(program.pid)], { encoding: "utf8" });
      const found = children
        .trim()
        .split("\n")
        .find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark));
      return Number(found);
    },
  };
}

function countInOutput({ output }: Starter, words: string): number {
  return output().split(words).length - 1;
}

it(
  "a gateway or console that dies is started again while the other keeps running, until programs have ended five times",
  async () => {
    const starter = start([]);
    await vi.waitFor(() => expect(starter.output()).toContain("Console ready"), soon);
    const gatewayUrl = /Gateway ready: (\S+)/.exec(starter.output())?.[1] ?? "";
    const consoleUrl = /Console ready: (\S+)/.exec(starter.output())?.[1] ?? "";
    const answers = async (url: string) => (await fetch(url, { redirect: "manual" })).status;
    const kill = async (name: "gateway" | "console") => {
      const other = name === "gateway" ? "console" : "gateway";
      const [pid, bystander] = [starter.pidOf(name), starter.pidOf(other)];
      process.kill(pid, "SIGKILL");
      const url = name === "gateway" ? `${gatewayUrl}/models` : `${consoleUrl}/sign-in`;
      await vi.waitFor(async () => {
        expect(starter.pidOf(name)).toBeGreaterThan(0);
        expect(starter.pidOf(name)).not.toBe(pid);
        expect(await answers(url)).toBeLessThan(400);
      }, soon);
      expect(starter.pidOf(other)).toBe(bystander);
    };
    await kill("gateway");
    await kill("console");
    await kill("gateway");
    await kill("console");
    expect(starter.output()).toContain("The gateway ended by SIGKILL; starting it again.");
    process.kill(starter.pidOf("console"), "SIGKILL");
    expect(await once(starter.program, "exit")).toEqual([1, null]);
    expect(starter.output()).toContain("programs ended 5 times within 5 minutes");
    expect(await answers(gatewayUrl).catch(() => "closed")).toBe("closed");
  },
  minutes,
);

it("a gateway that was never ready ends everything", { timeout: minutes }, async () => {
  const starter = start(["gateway"], { PROVIDERS_FILE: "/nowhere.json" });
  const [code] = await once(starter.program, "exit");
  expect(code).toBeGreaterThan(0);
  expect(starter.output()).toContain("stopping the rest");
});

it("SIGTERM ends everything, also after a program was started again", { timeout: minutes }, async () => {
  const starter = start(["gateway"]);
  await vi.waitFor(() => expect(countInOutput(starter, "Gateway ready")).toBe(1), soon);
  const pid = starter.pidOf("gateway");
  process.kill(pid, "SIGTERM");
  await vi.waitFor(() => expect(countInOutput(starter, "Gateway ready")).toBe(2), soon);
  starter.program.kill("SIGTERM");
  expect(await once(starter.program, "exit")).toEqual([0, null]);
});
