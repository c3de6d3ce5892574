import { mkdirSync } from "node:fs";
import path from "node:path";
import { median, ratioOf, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import type { Target } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";
import { askInShortTurns, type Turn } from "./parts/turns.ts";

/*
 * The cost of OpenTelemetry for a chat, measured on gateways in turns: one sends nothing; the others send
 * every trace, a share of the traces, or traces, metrics and log records to a receiver on this machine. A
 * second gateway that sends nothing shows how much two identical ones differ.
 */
const connections = 32;
const model = "svc/chat-1";
/** At most this many times the processor time of a request without telemetry. */
const goal = 1.1;
const share = process.env.BENCH_SAMPLED ?? "0.1";
const turns = { count: Number(process.env.BENCH_TURNS ?? 300), requests: 400 };
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
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sink.port}` };
  const traces = { ...all, OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" };
  const sampled = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: share };
  const off = await target("without", {});
  const others: [Target, number | null][] = [
    [await target("without, a second one", {}), null],
    [await target("every trace", traces), goal],
    [await target(`${share} of the traces`, { ...traces, ...sampled }), goal],
    [await target("traces, metrics and logs", all), null],
  ];
  const answered = await askInShortTurns([off, ...others.map(([one]) => one)], connections, turns);
  const values = (of: Target, read: (turn: Turn) => number) => (answered.get(of) ?? []).map(read);
  const processorUs = (turn: Turn) => turn.processorUs;
  const perSecond = (turn: Turn) => turn.perSecond;
  console.log(`\nA chat, ${connections} connections, medians of ${turns.count} turns of ${turns.requests}`);
  for (const of of answered.keys())
    console.log(
      `${of.name.padEnd(28)} ${median(values(of, processorUs)).toFixed(0)} µs CPU a request ${median(values(of, perSecond)).toFixed(0)}/s`,
    );
  for (const [one, most] of others) {
    const spent = ratioOf(values(one, processorUs), values(off, processorUs));
    const rate = ratioOf(values(one, perSecond), values(off, perSecond));
    const name = `${one.name} / without`;
    const value = `${spent.middle.toFixed(2)}, ${rate.middle.toFixed(2)} of its requests a second`;
    console.log(
      most === null
        ? `${name.padEnd(44)} ${value}`
        : verdict(name, value, `<= ${most}`, spent.middle <= most),
    );
  }
});
