import { mkdirSync } from "node:fs";
import path from "node:path";
import { ratioOf, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askInTurns, roundsLine, type Target } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * The processor time of a chat of 8 kB each way, at 100 a second, without and with keeping its contents; with the folder of another tree
 * in BENCH_OTHER also that of its gateway, which keeps none. See bench/README.md.
 */
const connections = 16;
const rate = 100;
const textBytes = 8_000;
const goal = 1.15;
const model = "svc/chat-1";
const sentence = "A gateway sends a prompt to a model, and it never keeps more of it than its owner wants. ";
const body = { model, messages: [{ role: "user", content: sentence.padEnd(textBytes, sentence) }] };
const otherTree = process.env.BENCH_OTHER;

await runBench(async (folder) => {
  const upstream = await startOwn("chat-upstream.ts", { ANSWER_BYTES: String(textBytes) });
  const providersFile = writeProvidersFile(folder, [model], `http://127.0.0.1:${upstream.port}/v1`);
  const start = async (name: string, keeps: boolean, tree?: string): Promise<Target> => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const { program, url, key, session } = await startGateway(own, { PROVIDERS_FILE: providersFile }, tree);
    if (keeps) await keepAll(url, session);
    return {
      name,
      program,
      url: `${url}/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
      body,
    };
  };
  const off = await start("contents off", false);
  const on = await start("contents on", true);
  const targets = [off, on, ...(otherTree ? [await start("the other tree", false, otherTree)] : [])];
  const results = await askInTurns(targets, connections, rate);
  for (const [{ name }, rounds] of results) console.log(roundsLine(name, rounds));
  const spent = (target: Target) =>
    (results.get(target) ?? []).map(({ processorUs }) => processorUs ?? Number.NaN);
  const { middle, span } = ratioOf(spent(on), spent(off));
  console.log(
    verdict(
      "processor time with contents",
      `${middle.toFixed(3)} × (${span})`,
      `≤ ${goal} ×`,
      middle <= goal,
    ),
  );
});

async function keepAll(url: string, session: string): Promise<void> {
  const { ok } = await fetch(`${url}/account`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    body: JSON.stringify({ contents: { keep: "all" } }),
  });
  if (!ok) throw new Error("contents could not be turned on");
}
