import { mkdirSync } from "node:fs";
import path from "node:path";
import { bareInserts } from "./parts/bare-inserts.ts";
import { median, ratioOf, verdict } from "./parts/figures.ts";
import { poolOf, startGateway } from "./parts/gateway.ts";
import {
  askFor,
  askInTurns,
  type Round,
  roundSeconds,
  rounds,
  roundsLine,
  type Target,
  warmUp,
} from "./parts/load.ts";
import { runBench } from "./parts/run.ts";

/*
 * Compares accepting video predictions (the row is committed before the 202) with plain inserts of the same
 * row into the same table of the same PostgreSQL, in turns. The gateway runs as `api`, so that no worker
 * takes the accepted predictions. With the folder of another tree in BENCH_OTHER, the processor time of a 202
 * is compared with that of its gateway instead.
 */
const connections = 32;
const warmUpSeconds = 2;
const goals = { inserts: 0.3, otherTree: 1.02 };
const otherTree = process.env.BENCH_OTHER;

await runBench(async (folder) => {
  console.log(
    `\nVideo predictions, ${connections} at once, medians of ${rounds} rounds of ${roundSeconds} s`,
  );
  const accepting = await startAccepting("202 of Gatehouse", folder);
  if (otherTree === undefined) await compareWithInserts(accepting, folder);
  else
    await compareWithOther(
      accepting,
      await startAccepting("the other tree", path.join(folder, "other"), otherTree),
    );
});

async function startAccepting(name: string, folder: string, tree?: string): Promise<Target> {
  mkdirSync(folder, { recursive: true });
  const gateway = await startGateway(folder, { GATEWAY_ROLE: "api" }, tree);
  return {
    name,
    program: gateway.program,
    url: `${gateway.url}/videos`,
    headers: { authorization: `Bearer ${gateway.key}` },
    body: { model: "svc/vid-t2v", prompt: "A river winds through a green valley", duration: 2 },
  };
}

async function compareWithInserts(accepting: Target, folder: string): Promise<void> {
  const pool = await poolOf(folder);
  await warmUp(accepting, connections);
  await bareInserts(pool, warmUpSeconds, connections);
  const accepted: Round[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareInserts(pool, roundSeconds, connections));
    accepted.push(await askFor(accepting, roundSeconds, connections));
  }
  await pool.end();
  console.log(`${"bare inserts".padEnd(24)} ${`${median(bare).toFixed(0)}/s`.padStart(9)}`);
  console.log(roundsLine(accepting.name, accepted));
  const { middle, span } = ratioOf(
    accepted.map(({ perSecond }) => perSecond),
    bare,
  );
  const value = `${middle.toFixed(2)} (${span})`;
  console.log(verdict("Gatehouse / bare inserts", value, `>= ${goals.inserts}`, middle >= goals.inserts));
}

async function compareWithOther(accepting: Target, other: Target): Promise<void> {
  const results = await askInTurns([accepting, other], connections);
  for (const [{ name }, list] of results) console.log(roundsLine(name, list));
  const spent = (target: Target) =>
    (results.get(target) ?? []).map(({ processorUs }) => processorUs ?? Number.NaN);
  const { middle, span } = ratioOf(spent(accepting), spent(other));
  const value = `${middle.toFixed(3)} (${span})`;
  console.log(
    verdict("processor time, this / the other", value, `<= ${goals.otherTree}`, middle <= goals.otherTree),
  );
}
