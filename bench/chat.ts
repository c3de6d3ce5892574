import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, quantile, ratioOf, verdict } from "./parts/figures.ts";
import { firstTokens } from "./parts/first-token.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askFor, type Round, roundsLine, type Target, warmUp } from "./parts/load.ts";
import { startPortkey } from "./parts/portkey.ts";
import { startOwn } from "./parts/processes.ts";

/*
 * Chat through Gatehouse, through Portkey's gateway and through the barest proxy, all three to the same upstream and in
 * turns; then the time to the first token at one connection, against the upstream itself. bench/README.md says more.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const roundSeconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpRequests = 8_000;
const connections = 32;
const streamRequests = 200;
const model = "svc/chat-1";
const goals = { portkey: 3, floor: 0.5, firstTokenMs: 2 };

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const upstream = await startOwn("chat-upstream.ts");
const origin = `http://127.0.0.1:${upstream.port}`;
const floorProxy = await startOwn("chat-floor.ts", { UPSTREAM: origin });
const gateway = await startGateway(folder, {
  PROVIDERS_FILE: writeProvidersFile(folder, model, `${origin}/v1`),
});
const portkey = await startPortkey(process.env.BENCH_PORTKEY_DIR ?? path.join(folder, "portkey"));

const prompt = "Say in twenty words what a gateway is for. ".repeat(7).trim();
const body = { model, messages: [{ role: "user", content: prompt }] };
const chatPath = "/v1/chat/completions";
const direct: Target = {
  name: "upstream itself",
  program: upstream,
  url: origin + chatPath,
  headers: {},
  body,
};
const floor: Target = {
  name: "fastify + undici, bare",
  program: floorProxy,
  url: `http://127.0.0.1:${floorProxy.port}${chatPath}`,
  headers: {},
  body,
};
const gatehouse: Target = {
  name: "Gatehouse",
  program: gateway.program,
  url: `${gateway.url}/chat/completions`,
  headers: { authorization: `Bearer ${gateway.key}` },
  body,
};
const rival: Target | null =
  "missing" in portkey
    ? null
    : {
        name: "Portkey 1.15.2",
        program: portkey,
        url: `http://127.0.0.1:${portkey.port}${chatPath}`,
        headers: {
          authorization: "Bearer bench",
          "x-portkey-provider": "openai",
          "x-portkey-custom-host": `${origin}/v1`,
        },
        body,
      };
if ("missing" in portkey) console.log(`Portkey is not measured, it could not be had: ${portkey.missing}`);

const targets = [direct, floor, gatehouse, ...(rival ? [rival] : [])];
const results = new Map<Target, Round[]>(targets.map((target) => [target, []]));
for (const target of targets)
  await warmUp(target, target === rival ? warmUpRequests / 4 : warmUpRequests, connections);
for (let round = 0; round < rounds; round += 1)
  for (const target of targets) results.get(target)?.push(await askFor(target, roundSeconds, connections));

const perSecond = (target: Target) => results.get(target)?.map((round) => round.perSecond) ?? [];
console.log(`\nJSON chat, ${connections} connections, medians of ${rounds} rounds of ${roundSeconds} s`);
for (const [target, measured] of results) console.log(roundsLine(target.name, measured));
if (rival) {
  const { middle, span } = ratioOf(perSecond(gatehouse), perSecond(rival));
  const value = `${middle.toFixed(2)} (${span})`;
  console.log(verdict("Gatehouse / Portkey", value, `${goals.portkey}`, middle >= goals.portkey));
}
const toFloor = ratioOf(perSecond(gatehouse), perSecond(floor));
const value = `${toFloor.middle.toFixed(2)} (${toFloor.span})`;
console.log(verdict("Gatehouse / bare proxy", value, `${goals.floor}`, toFloor.middle >= goals.floor));

await firstTokens(targets, 20);
const tokens = await firstTokens(targets, streamRequests);
console.log(`\nFirst token of a stream, one connection, ${streamRequests} requests each, in turns`);
for (const [target, times] of tokens)
  console.log(
    `${target.name.padEnd(24)} p50 ${median(times).toFixed(2)} ms   p95 ${quantile(times, 0.95).toFixed(2)} ms`,
  );
const added = median(tokens.get(gatehouse) ?? []) - median(tokens.get(direct) ?? []);
console.log(
  verdict(
    "added by Gatehouse, p50",
    `${added.toFixed(2)} ms`,
    `${goals.firstTokenMs} ms`,
    added <= goals.firstTokenMs,
  ),
);
process.exit(0);
