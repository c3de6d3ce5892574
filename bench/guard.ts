import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { median, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askFor, type Round, roundSeconds, rounds, type Target, warmUp } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * What a guard that answers in 1 ms adds to a chat, asked before the run: latency, and processor time of the gateway.
 */
const model = "svc/chat-1";
const body = { model, messages: [{ role: "user", content: "Say in twenty words what a gateway is for." }] };
const guardMs = 1;
const addedMs = 2;

await runBench(async (folder) => {
  const guard = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.end('{"action":"allow"}'), guardMs);
  });
  await new Promise<void>((resolve) => guard.listen(0, "127.0.0.1", resolve));
  const upstream = await startOwn("chat-upstream.ts");
  const providers = writeProvidersFile(folder, [model], `http://127.0.0.1:${upstream.port}/v1`);
  const gateway = await startGateway(folder, { PROVIDERS_FILE: providers, LOG_LEVEL: "warn" });
  const target: Target = {
    ...{ name: "chat", program: gateway.program, url: `${gateway.url}/chat/completions`, body },
    headers: { authorization: `Bearer ${gateway.key}` },
  };
  const set = (method: string, settings?: object) =>
    fetch(`${gateway.url}/operator/guard`, {
      method,
      headers: { authorization: `Bearer ${gateway.session}`, "content-type": "application/json" },
      ...(settings && { body: JSON.stringify(settings) }),
    });
  const url = `http://127.0.0.1:${(guard.address() as AddressInfo).port}`;
  await warmUp(target, 1);
  await set("POST", { url, allow_private: true });
  await warmUp(target, 1);
  await set("DELETE");
  const without: Round[] = [];
  const guarded: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    without.push(await askFor(target, roundSeconds, 1));
    await set("POST", { url, allow_private: true });
    guarded.push(await askFor(target, roundSeconds, 1));
    await set("DELETE");
  }
  const between = (read: (one: Round) => number) => median(guarded.map(read)) - median(without.map(read));
  // With one connection, the time of a chat is what is left of a second; autocannon rounds its own to whole milliseconds.
  const latencyMs = between(({ perSecond }) => 1_000 / perSecond);
  const processorUs = between((one) => one.processorUs ?? Number.NaN);
  console.log(
    verdict("a guard of 1 ms adds", `${latencyMs.toFixed(2)} ms`, `<= ${addedMs} ms`, latencyMs <= addedMs),
  );
  console.log(`and ${processorUs.toFixed(0)} µs of processor time for each chat`);
  guard.close();
});
