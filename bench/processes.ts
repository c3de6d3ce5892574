import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askInTurns, roundSeconds, rounds, roundsLine, type Target } from "./parts/load.ts";
import { type Program, startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * Chat through one process, through two on one port, and through two that are each pinned to a core. Load,
 * upstream and database also need a core or more, so requests per second cannot double on two cores. Compare
 * the processor time.
 */
const connections = 32;
const model = "svc/chat-1";
const body = { model, messages: [{ role: "user", content: "Say in twenty words what a gateway is for." }] };
/** Processor time per request, relative to one process. */
const goal = 1.15;

await runBench(async (folder) => {
  const upstream = await startOwn("chat-upstream.ts");
  const providers = writeProvidersFile(folder, [model], `http://127.0.0.1:${upstream.port}/v1`);
  const start = async (name: string, processes: string): Promise<Target> => {
    const own = path.join(folder, processes, name.replaceAll(" ", "-"));
    mkdirSync(own, { recursive: true });
    const gateway = await startGateway(own, { PROVIDERS_FILE: providers, GATEWAY_PROCESSES: processes });
    while (!readFileSync(path.join(own, "gateway.log"), "utf8").includes("Gateway ready")) await sleep(100);
    const program = { ...gateway.program, pids: processesOf(gateway.program) };
    const headers = { authorization: `Bearer ${gateway.key}` };
    return { name, program, url: `${gateway.url}/chat/completions`, headers, body };
  };
  const one = await start("one process", "1");
  const two = await start("two processes", "2");
  const pinned = await start("two, a core each", "2");
  // The supervisor comes first in the list, and does no work.
  for (const [core, pid] of (pinned.program.pids ?? []).slice(1).entries())
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)]);

  const results = await askInTurns([one, two, pinned], connections);
  console.log(`\nJSON chat, ${connections} connections, medians of ${rounds} rounds of ${roundSeconds} s`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const spent = (target: Target) =>
    (results.get(target) ?? []).map(({ processorUs }) => processorUs ?? Number.NaN);
  for (const target of [two, pinned]) {
    const ratios = spent(target).map((us, round) => us / (spent(one)[round] ?? Number.NaN));
    const middle = median(ratios);
    console.log(
      verdict(`${target.name} / one process, CPU`, middle.toFixed(2), `<= ${goal}`, middle <= goal),
    );
  }
});

/** The gateway's processes: the program and its children, without PostgreSQL. */
function processesOf({ child: { pid = 0 } }: Program): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
  const isGateway = (id: number) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes("gateway/main.ts");
  return [pid, ...children.map(Number).filter(isGateway)];
}
