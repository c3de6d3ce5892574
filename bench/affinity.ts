import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { verdict } from "./parts/figures.ts";
import { type BenchGateway, startGateway } from "./parts/gateway.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * The share of prompt tokens that an upstream with a prefix cache for each key has cached, counted by that
 * upstream: 200 conversations of 12 turns through three processes. One key is the limit; four keys on each of
 * two routes are compared with it, also while keys rest, and while all conversations send the same
 * `prompt_cache_key` and `user`. Last, one conversation sends 50 requests at once. With the folder of another
 * tree in BENCH_OTHER, the same with the gateway of that tree. See bench/README.md.
 */
const conversations = 200;
const turns = 12;
const parallel = 16;
const tokens = { system: 4_000, task: 1_000, answer: 500, result: 1_500 };
const goals = { share: 0.97, resting: 0.85, largest: 0.25 };
const rest = { everyMs: 20_000, forMs: 5_000, turnMs: 6_000 };
const burst = { requests: 50, perKey: 5, answerMs: 500 };
const keyNames = ["a", "b", "c", "d"];
const models = { one: "svc/chat-1", many: "svc/chat-2" };
const regions = { wide: "us-virginia", narrow: "eu-frankfurt" };

interface Counts {
  prompt: number;
  cached: number;
  /** Requests that were answered with 429. */
  limited: number;
  /** Answered requests by route and key. */
  places: Record<string, number>;
}

/** What a run adds to the body of each request. */
type More = Record<string, unknown> & { model: string };

await runBench(async (folder) => {
  const upstream = await startOwn("affinity-upstream.ts");
  const origin = `http://127.0.0.1:${upstream.port}`;
  const providers = writeProviders(folder, origin);
  const gatewayOf = async (name: string, tree?: string) => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const keys = Object.fromEntries(keyNames.map((key) => [variableOf(key), key]));
    const environment = { ...keys, PROVIDERS_FILE: providers, GATEWAY_PROCESSES: "3" };
    const gateway = await startGateway(own, environment, tree);
    while (!readFileSync(path.join(own, "gateway.log"), "utf8").includes("Gateway ready")) await sleep(100);
    return gateway;
  };
  const control = (body: object) => post(`${origin}/control`, body);
  const counted = async (run: Promise<unknown>): Promise<Counts> => {
    await run;
    return (await post(`${origin}/counts`, {})) as unknown as Counts;
  };
  const compare = (name: string, counts: Counts, limit: number, goal: number) => {
    const ratio = shareOf(counts) / limit;
    const value = `${ratio.toFixed(3)} (${shareOf(counts).toFixed(3)})`;
    console.log(verdict(name, value, `>= ${goal}`, ratio >= goal));
  };

  const gatehouse = await gatewayOf("gatehouse");
  const one = await counted(talk(gatehouse, { model: models.one }));
  const limit = shareOf(one);
  console.log(
    `\nCached share of ${one.prompt} prompt tokens, ${conversations} conversations of ${turns} turns`,
  );
  console.log(`one key: the limit                           ${limit.toFixed(3)}`);
  const many = await counted(talk(gatehouse, { model: models.many }));
  compare("4 keys × 2 routes / limit", many, limit, goals.share);
  console.log(`requests by route and key                    ${placesText(many)}`);

  const same = { model: models.many, prompt_cache_key: "my-app", user: "service" };
  const alike = await counted(talk(gatehouse, same));
  compare("same prompt_cache_key and user / limit", alike, limit, goals.share);
  console.log(`requests by route and key                    ${placesText(alike)}`);
  for (const [name, counts] of [
    ["largest share of a route and key", many],
    ["the same with one prompt_cache_key", alike],
  ] as const) {
    const all = Object.values(counts.places);
    const largest = Math.max(...all) / (conversations * turns);
    console.log(verdict(name, largest.toFixed(3), `<= ${goals.largest}`, largest <= goals.largest));
  }

  const resting = async (gateway: BenchGateway) => {
    let isOver = false;
    const untilOver = (async () => {
      while (!isOver) {
        const key = keyNames[Math.floor(Math.random() * keyNames.length)];
        await control({ resting: key, untilMs: Date.now() + rest.forMs });
        for (let ms = 0; ms < rest.everyMs && !isOver; ms += 100) await sleep(100);
      }
    })();
    await talk(gateway, { model: models.many }, rest.turnMs);
    isOver = true;
    await untilOver;
    await control({ resting: "" });
  };
  const rested = await counted(resting(gatehouse));
  compare("a key rests 5 s of each 20 s / limit", rested, limit, goals.resting);
  console.log(`429 answers, all retried elsewhere           ${rested.limited}`);

  await control({ answerMs: burst.answerMs });
  const body = bodyOf(0, 0, { model: models.many, region: regions.narrow });
  const statuses = await Promise.all(
    Array.from({ length: burst.requests }, () => ask(gatehouse, body).then(({ status }) => status)),
  );
  await control({ answerMs: 0 });
  const refused = statuses.filter((status) => status !== 200).length;
  const name = `of ${burst.requests} at once, ${burst.perKey} a key: refused`;
  console.log(verdict(name, String(refused), "0", refused === 0));
  console.log(`requests by route and key                    ${placesText(await counted(Promise.resolve()))}`);

  if (process.env.BENCH_OTHER === undefined) return;
  const other = await gatewayOf("other", process.env.BENCH_OTHER);
  const before = await counted(talk(other, { model: models.many }));
  const restedBefore = await counted(resting(other));
  const text = (counts: Counts) => `${(shareOf(counts) / limit).toFixed(3)} (${shareOf(counts).toFixed(3)})`;
  console.log(`the other tree, 4 keys × 2 routes / limit    ${text(before)}`);
  console.log(`the other tree, keys rest / limit            ${text(restedBefore)}`);
});

/** One provider with one key, and two with four keys each; in another region these keys have a limit. */
function writeProviders(folder: string, origin: string): string {
  const keysOf = (rules: object) => ({
    keys: keyNames.map((name) => ({ name, env: variableOf(name), ...rules })),
  });
  const at = (name: string, credentials: object) => ({
    protocol: "openai",
    base_url: `${origin}/${name}/v1`,
    credentials,
  });
  const credentials = {
    [regions.wide]: keysOf({}),
    [regions.narrow]: keysOf({ concurrency: burst.perKey }),
  };
  const routeTo = (provider: string, model: string) => ({
    ...{ models: [model], provider, upstream_model: "mock", weight: 1 },
  });
  const file = path.join(folder, "affinity.json");
  const content = {
    providers: {
      only: at("only", { [regions.wide]: { env: variableOf("a") } }),
      first: at("first", credentials),
      second: at("second", credentials),
    },
    routes: [routeTo("only", models.one), routeTo("first", models.many), routeTo("second", models.many)],
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function variableOf(key: string): string {
  return `BENCH_AFFINITY_KEY_${key.toUpperCase()}`;
}

/** All conversations, turn by turn. Each turn takes at least `turnMs`. */
async function talk(gateway: BenchGateway, more: More, turnMs = 0): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const pause = sleep(turnMs);
    let next = 0;
    const work = async () => {
      for (let one = next++; one < conversations; one = next++) {
        const response = await ask(gateway, bodyOf(one, turn, { ...more, region: regions.wide }));
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    await pause;
  }
}

/** A turn of a conversation: all share the system prompt, and each turn adds an answer and a result. */
function bodyOf(one: number, turn: number, more: More): string {
  const messages = [
    { role: "system", content: textOf("system", tokens.system) },
    { role: "user", content: textOf(`task ${one}`, tokens.task) },
  ];
  for (let at = 0; at < turn; at += 1)
    messages.push(
      { role: "assistant", content: textOf(`answer ${one} ${at}`, tokens.answer) },
      { role: "user", content: textOf(`result ${one} ${at}`, tokens.result) },
    );
  return JSON.stringify({ ...more, messages });
}

/** A text of so many tokens that differs for each name. */
function textOf(name: string, length: number): string {
  return `${name}: `.repeat(length).slice(0, length * 4);
}

function ask({ url, key }: BenchGateway, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(`${url}/chat/completions`, { method: "POST", headers, body });
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

function shareOf({ cached, prompt }: Counts): number {
  return cached / prompt;
}

function placesText({ places }: Counts): string {
  return Object.entries(places)
    .toSorted()
    .map(([place, count]) => `${place} ${count}`)
    .join(", ");
}
