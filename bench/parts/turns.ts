import { Pool } from "undici";
import type { Target } from "./load.ts";
import { processorSeconds } from "./processes.ts";

const warmUpRequests = 20_000;

export interface Turn {
  /** Processor time of the target per request. */
  processorUs: number;
  perSecond: number;
}

/**
 * Calls each target in many short turns in a rotating order, so that other load on the machine affects all
 * targets alike. Throws if a response was not a success.
 */
export async function askInShortTurns(
  targets: readonly Target[],
  connections: number,
  turns: { count: number; requests: number },
): Promise<Map<Target, Turn[]>> {
  const answered = new Map<Target, Turn[]>(targets.map((target) => [target, []]));
  const pools = new Map(
    targets.map((target) => [target, new Pool(new URL(target.url).origin, { connections })]),
  );
  const ask = (target: Target, requests: number) =>
    askAll(pools.get(target) as Pool, target, requests, connections);
  for (const target of targets) await ask(target, warmUpRequests);
  for (let turn = 0; turn < turns.count; turn += 1)
    for (const place of targets.keys()) {
      const target = targets[(place + turn) % targets.length] as Target;
      const before = processorSeconds(target.program);
      const startedMs = performance.now();
      await ask(target, turns.requests);
      const tookMs = performance.now() - startedMs;
      const after = processorSeconds(target.program);
      if (before === null || after === null)
        throw new Error("This system does not report processor time. Run the benchmark on Linux.");
      answered.get(target)?.push({
        processorUs: ((after - before) * 1e6) / turns.requests,
        perSecond: (turns.requests / tookMs) * 1000,
      });
    }
  for (const pool of pools.values()) await pool.destroy();
  return answered;
}

async function askAll(pool: Pool, target: Target, requests: number, connections: number): Promise<void> {
  const path = new URL(target.url).pathname;
  const headers = { "content-type": "application/json", ...target.headers };
  const body = JSON.stringify(target.body);
  let left = requests;
  const askOneByOne = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: "POST", path, headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${target.name} answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, askOneByOne));
}
