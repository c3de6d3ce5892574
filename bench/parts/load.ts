import autocannon from "autocannon";
import { median } from "./figures.ts";
import { type Program, processorSeconds } from "./processes.ts";

export const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
export const roundSeconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpRequests = 5_000;
/** Fewer requests of a longer body compile the code. */
const longBodyBytes = 100_000;
const longWarmUpRequests = 500;

/** A request and its target. */
export interface Target {
  name: string;
  program: Program;
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the target per request. Null if the system does not report it. */
  processorUs: number | null;
}

/**
 * Sends requests until the target's code is compiled: a fixed number of requests, because a busy machine
 * takes longer.
 */
export async function warmUp(target: Target, connections: number): Promise<void> {
  const request = requestOf(target);
  const amount = request.body.length > longBodyBytes ? longWarmUpRequests : warmUpRequests;
  await autocannon({ ...request, connections, amount });
}

function requestOf({ url, headers, body }: Target) {
  return {
    url,
    method: "POST" as const,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** Loads one target for `seconds` over `connections`, with at most `rate` requests a second. Throws if a response was not a success. */
export async function askFor(
  target: Target,
  seconds: number,
  connections: number,
  rate?: number,
): Promise<Round> {
  const before = processorSeconds(target.program);
  const paced = rate === undefined ? {} : { overallRate: rate };
  const result = await autocannon({ ...requestOf(target), connections, duration: seconds, ...paced });
  const after = processorSeconds(target.program);
  const { requests, duration, latency, errors, non2xx } = result;
  if (errors + non2xx > 0 || requests.total === 0)
    throw new Error(`${target.name}: ${requests.total} answers, ${errors} errors, ${non2xx} refusals`);
  return {
    perSecond: requests.total / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    processorUs: before === null || after === null ? null : ((after - before) * 1e6) / requests.total,
  };
}

/** Warms every target up, then loads the targets round by round, one after the other in each round. */
export async function askInTurns(
  targets: readonly Target[],
  connections: number,
  rate?: number,
): Promise<Map<Target, Round[]>> {
  const results = new Map<Target, Round[]>(targets.map((target) => [target, []]));
  for (const target of targets) await warmUp(target, connections);
  for (let round = 0; round < rounds; round += 1)
    for (const [target, list] of results) list.push(await askFor(target, roundSeconds, connections, rate));
  return results;
}

/** One line of the table for a target: medians of its rounds. */
export function roundsLine(name: string, rounds: readonly Round[]): string {
  const middle = (read: (round: Round) => number) => median(rounds.map(read));
  const spent = rounds.map((round) => round.processorUs).filter((value) => value !== null);
  return [
    name.padEnd(24),
    `${middle((round) => round.perSecond).toFixed(0)}/s`.padStart(9),
    `p50 ${middle((round) => round.p50Ms)} ms`.padStart(12),
    `p99 ${middle((round) => round.p99Ms)} ms`.padStart(12),
    spent.length > 0 ? `${median(spent).toFixed(0)} µs CPU a request`.padStart(24) : "",
  ].join(" ");
}
