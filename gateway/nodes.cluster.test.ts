import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type ClusterScene, openCluster } from "./testing/cluster/scene.ts";
import { auditBooks } from "./testing/ledger.ts";
import { type Load, startLoad } from "./testing/load.ts";

/** `ttl` of deploy/cluster/patroni.yml, and what an election and the checks may take. */
const longestGapMs = (20 + 15) * 1_000;
const ordersEachTime = 15;
const phaseMs = 150_000;
/** A worker that was killed cannot know whether the upstream began. */
const outcomeUnknown = ["upstream_outcome_unknown"];

let cluster: ClusterScene;
const told: Pick<Load, "accepted" | "canceled">[] = [];
beforeAll(async () => {
  cluster = await openCluster();
}, 300_000);
afterAll(() => cluster?.close(), 60_000);

it("the primary is killed: writes go on in time, nothing accepted is lost or runs twice", async () => {
  const load = begin();
  await moreOrders(load);
  const primary = await cluster.nodes.leader();
  await primary.kill();
  await moreOrders(load);
  await load.stop();
  primary.start();
  expect(longestGap(load)).toBeLessThan(longestGapMs);
  expectPatience(load);
  expect(await audit()).toBe("");
  await cluster.nodes.areWell();
}, 400_000);

/** Clients at HAProxy; the answers they get are checked at the end of each test. */
function begin(urls = [cluster.proxy.url]): Load {
  const load = startLoad({ urls, bearer: cluster.bearer, clients: 3, pauseMs: 250, cancelEvery: 6 });
  told.push(load);
  onTestFinished(() => load.stop());
  return load;
}

/** What is wrong, a line each. */
async function audit(): Promise<string> {
  const { upstream, receiver, connection } = cluster;
  const books = { loads: told, upstream, receiver, connection };
  return (await auditBooks({ ...books, mayFailWith: outcomeUnknown, settleMs: phaseMs })).join("\n");
}

async function moreOrders(load: Load): Promise<void> {
  const enough = load.accepted.size + ordersEachTime;
  await vi.waitFor(() => expect(load.accepted.size).toBeGreaterThan(enough), {
    timeout: phaseMs,
    interval: 50,
  });
}

/** The longest time in which no order was accepted. */
function longestGap({ acceptedAtMs }: Load): number {
  return Math.max(...acceptedAtMs.slice(1).map((at, index) => at - (acceptedAtMs[index] ?? at)));
}

/** Every refused client got a Retry-After. */
function expectPatience(load: Load): void {
  const known = ["prediction_already_terminal"];
  const rude = load.refused.filter(({ retriable, code }) => !retriable && !known.includes(code));
  expect(rude.map((refusal) => JSON.stringify(refusal)).join("\n")).toBe("");
}
