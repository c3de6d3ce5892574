import { mkdirSync } from "node:fs";
import path from "node:path";
import { median, quantile, ratioOf, verdict } from "./parts/figures.ts";
import { firstTokens } from "./parts/first-token.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import {
  askFor,
  askInTurns,
  type Round,
  roundSeconds,
  rounds,
  roundsLine,
  type Target,
} from "./parts/load.ts";
import { startPortkey } from "./parts/portkey.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * Chat through Gatehouse, through Portkey's gateway and through the minimal proxy, all with the same upstream
 * and in turns: small chats, prompts of 400 kB, and small chats beside such prompts. Then the time to the first
 * token with one connection, compared with the upstream itself. With
 * the folder of another tree in BENCH_OTHER, the gateway of that tree takes the place of the other two. See
 * bench/README.md.
 */
const connections = 32;
/** Loops that send long prompts, each the next when the one before is answered. */
const longConnections = 4;
const streamRequests = Number(process.env.BENCH_STREAMS ?? 200);
const model = "svc/chat-1";
const longGoals = { floor: 0.9, portkey: 1.5, besideFloor: 1, otherTreeBeside: 1.1 };
const goals = { portkey: 3, floor: 0.5, firstTokenMs: 2, otherTree: 0.98, otherTreeMs: 0.1 };
const otherTree = process.env.BENCH_OTHER;
const prompt = "Say in twenty words what a gateway is for. ".repeat(7).trim();
const bodyOf = (content: string) => ({ model, messages: [{ role: "user", content }] });
const body = bodyOf(prompt);
const longBody = bodyOf(`${prompt} `.repeat(400_000 / (prompt.length + 1)));

await runBench(async (folder) => {
  const targets = await startTargets(folder);
  await measureJson(targets);
  await measureLong(targets);
  await measureStreams(targets);
});

interface Targets {
  direct: Target;
  gatehouse: Target;
  /** Null with BENCH_OTHER. */
  floor: Target | null;
  portkey: Target | null;
  /** Null without BENCH_OTHER. */
  other: Target | null;
}

async function startTargets(folder: string): Promise<Targets> {
  const upstream = await startOwn("chat-upstream.ts");
  const origin = `http://127.0.0.1:${upstream.port}`;
  const providersFile = writeProvidersFile(folder, [model], `${origin}/v1`);
  const target = (name: string, program: Target["program"], headers: Record<string, string>): Target => ({
    name,
    program,
    url: `http://127.0.0.1:${program.port}/v1/chat/completions`,
    headers,
    body,
  });
  const gatewayOf = async (name: string, tree?: string) => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const { program, key } = await startGateway(own, { PROVIDERS_FILE: providersFile }, tree);
    return target(name, program, { authorization: `Bearer ${key}` });
  };
  const direct = target("upstream itself", upstream, {});
  const gatehouse = await gatewayOf("Gatehouse");
  if (otherTree !== undefined) {
    const other = await gatewayOf("the other tree", otherTree);
    return { direct, gatehouse, floor: null, portkey: null, other };
  }
  const floor = await startOwn("chat-floor.ts", { UPSTREAM: origin });
  const portkey = await startPortkey(process.env.BENCH_PORTKEY_DIR ?? path.join(folder, "portkey"));
  if ("missing" in portkey)
    console.log(`Portkey is not measured because it could not be installed: ${portkey.missing}`);
  const portkeyHeaders = {
    authorization: "Bearer bench",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${origin}/v1`,
  };
  return {
    direct,
    gatehouse,
    floor: target("fastify + undici, bare", floor, {}),
    portkey: "missing" in portkey ? null : target("Portkey 1.15.2", portkey, portkeyHeaders),
    other: null,
  };
}

function listOf({ direct, floor, gatehouse, portkey, other }: Targets): Target[] {
  return [direct, floor, gatehouse, portkey, other].filter((target) => target !== null);
}

async function measureJson(targets: Targets): Promise<void> {
  const results = await askInTurns(listOf(targets), connections);
  console.log(`\nJSON chat, ${connections} connections, medians of ${rounds} rounds of ${roundSeconds} s`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const perSecond = (target: Target) => (results.get(target) ?? []).map((round) => round.perSecond);
  const compare = (name: string, other: Target, goal: number) => {
    const { middle, span } = ratioOf(perSecond(targets.gatehouse), perSecond(other));
    console.log(
      verdict(`Gatehouse / ${name}`, `${middle.toFixed(2)} (${span})`, `>= ${goal}`, middle >= goal),
    );
  };
  if (targets.portkey) compare("Portkey", targets.portkey, goals.portkey);
  if (targets.floor) compare("bare proxy", targets.floor, goals.floor);
  if (targets.other) compare(targets.other.name, targets.other, goals.otherTree);
}

/** Prompts of 400 kB by themselves, then small chats of one connection beside them. */
async function measureLong(targets: Targets): Promise<void> {
  const list = listOf(targets);
  const longOf = new Map(list.map((target) => [target, { ...target, body: longBody }]));
  const results = await askInTurns([...longOf.values()], longConnections);
  console.log(`\nPrompts of 400 kB, ${longConnections} connections`);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const beside = new Map<Target, Round[]>(list.map((target) => [target, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [target, long] of longOf) {
      const [small] = await Promise.all([
        askFor(target, roundSeconds, 1),
        askFor(long, roundSeconds, longConnections),
      ]);
      // The processor time is that of both.
      beside.get(target)?.push({ ...small, processorUs: null });
    }
  console.log(`\nSmall chats, one connection, beside ${longConnections} loops of prompts of 400 kB`);
  for (const [{ name }, list] of beside) console.log(roundsLine(name, list));
  const { gatehouse } = targets;
  const processorOf = (target: Target) =>
    (results.get(longOf.get(target) as Target) ?? []).map(({ processorUs }) => processorUs ?? Number.NaN);
  const slowestOf = (target: Target) => (beside.get(target) ?? []).map(({ p99Ms }) => p99Ms);
  const spent = (name: string, other: Target, goal: number) => {
    const { middle, span } = ratioOf(processorOf(other), processorOf(gatehouse));
    const words = `400 kB, processor time: ${name} / Gatehouse`;
    console.log(verdict(words, `${middle.toFixed(2)} (${span})`, `>= ${goal}`, middle >= goal));
  };
  const waited = (name: string, other: Target, goal: number) => {
    const { middle, span } = ratioOf(slowestOf(gatehouse), slowestOf(other));
    const words = `small beside 400 kB, p99: Gatehouse / ${name}`;
    console.log(verdict(words, `${middle.toFixed(2)} (${span})`, `<= ${goal}`, middle <= goal));
  };
  if (targets.portkey) spent("Portkey", targets.portkey, longGoals.portkey);
  if (targets.floor) {
    spent("bare proxy", targets.floor, longGoals.floor);
    waited("bare proxy", targets.floor, longGoals.besideFloor);
  }
  if (targets.other) {
    spent(targets.other.name, targets.other, goals.otherTree);
    waited(targets.other.name, targets.other, longGoals.otherTreeBeside);
  }
}

async function measureStreams(targets: Targets): Promise<void> {
  const list = listOf(targets);
  await firstTokens(list, streamRequests / 10);
  const times = await firstTokens(list, streamRequests);
  console.log(`\nFirst token of a stream, one connection, ${streamRequests} requests each, in turns`);
  for (const [{ name }, ms] of times)
    console.log(
      `${name.padEnd(24)} p50 ${median(ms).toFixed(2)} ms   p95 ${quantile(ms, 0.95).toFixed(2)} ms`,
    );
  const compare = (name: string, other: Target, goal: number) => {
    const addedMs = median(times.get(targets.gatehouse) ?? []) - median(times.get(other) ?? []);
    console.log(verdict(name, `${addedMs.toFixed(2)} ms`, `<= ${goal} ms`, addedMs <= goal));
  };
  compare("added by Gatehouse, p50", targets.direct, goals.firstTokenMs);
  if (targets.other) compare(`more than ${targets.other.name}, p50`, targets.other, goals.otherTreeMs);
}
