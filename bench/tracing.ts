import { mkdirSync } from "node:fs";
import path from "node:path";
import { ratioOf, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askInTurns, rounds, roundsLine, type Target } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * What OpenTelemetry costs a chat: three gateways in turns, second by second. One sends nothing, one the traces, metrics and logs of
 * every request to a receiver of this machine, one a share of the traces.
 */
const connections = 32;
const model = "svc/chat-1";
/** At most this many times the processor time of a request without it. */
const goal = 1.1;
const share = process.env.BENCH_SAMPLED ?? "0.1";
/** Short rounds share what else runs here, and many of them tell a few percent apart. */
const turns = { rounds: rounds * 8, seconds: 1 };
const prompt = "Say in twenty words what a gateway is for. ".repeat(7).trim();

await runBench(async (folder) => {
  const upstream = await startOwn("chat-upstream.ts");
  const sink = await startOwn("otlp-sink.ts");
  const target = async (name: string, environment: Record<string, string>): Promise<Target> => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const providersFile = writeProvidersFile(own, [model], `http://127.0.0.1:${upstream.port}/v1`);
    const { program, url, key } = await startGateway(own, { PROVIDERS_FILE: providersFile, ...environment });
    return {
      name,
      program,
      url: `${url}/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
      body: { model, messages: [{ role: "user", content: prompt }] },
    };
  };
  const off = await target("without", {});
  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sink.port}` };
  const on = [
    await target("with every trace", sending),
    await target(`with ${share} of the traces`, {
      ...sending,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: share,
    }),
  ];
  const results = await askInTurns([off, ...on], connections, turns);
  console.log(`\n${connections} connections, medians of ${turns.rounds} rounds of ${turns.seconds} s`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const spent = (of: Target) => (results.get(of) ?? []).map((round) => round.processorUs ?? Number.NaN);
  for (const one of on) {
    const { middle, span } = ratioOf(spent(one), spent(off));
    console.log(
      verdict(`${one.name} / without`, `${middle.toFixed(2)} (${span})`, `<= ${goal}`, middle <= goal),
    );
  }
});
