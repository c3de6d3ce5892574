import { mkdirSync } from "node:fs";
import path from "node:path";
import { ratioOf, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askInTurns, roundSeconds, rounds, roundsLine, type Target } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * What OpenTelemetry costs a chat: two gateways in turns, of which one sends the traces, metrics and logs of every request to a receiver
 * of this machine.
 */
const connections = 32;
const model = "svc/chat-1";
/** At most this many times the processor time of a request without it. */
const goal = 1.1;
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
  const on = await target("with OpenTelemetry", {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sink.port}`,
    ...(process.env.BENCH_SAMPLED && {
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: process.env.BENCH_SAMPLED,
    }),
  });
  const results = await askInTurns([off, on], connections);
  console.log(`\n${connections} connections, medians of ${rounds} rounds of ${roundSeconds} s`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const spent = (of: Target) => (results.get(of) ?? []).map((round) => round.processorUs ?? Number.NaN);
  const { middle, span } = ratioOf(spent(on), spent(off));
  console.log(
    verdict("processor time with / without", `${middle.toFixed(2)} (${span})`, `<= ${goal}`, middle <= goal),
  );
});
