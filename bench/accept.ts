import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { openDatabase } from "#gateway/database/open.ts";
import { bareInserts } from "./parts/bare-inserts.ts";
import { median, ratioOf, verdict } from "./parts/figures.ts";
import { startGateway } from "./parts/gateway.ts";
import { askFor, type Round, roundsLine, type Target, warmUp } from "./parts/load.ts";
import { stopProgram } from "./parts/processes.ts";

/*
 * Accepting video predictions — the row is committed before the 202 — against bare inserts of the same row into the
 * same table of the same PostgreSQL, in turns. The gateway runs as `api`, so that no worker takes what is accepted.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const roundSeconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpRequests = 5_000;
const connections = 32;
const goal = 0.3;

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
const gateway = await startGateway(folder, { GATEWAY_ROLE: "api" });
const log = pino({ level: "warn" });
const database = await openDatabase({ databaseUrl: null, dataDir: path.join(folder, "data") }, log, "borrow");
const accepting: Target = {
  name: "202 of Gatehouse",
  program: gateway.program,
  url: `${gateway.url}/videos`,
  headers: { authorization: `Bearer ${gateway.key}` },
  body: { model: "svc/vid-t2v", prompt: "A river winds through a green valley", duration: 2 },
};

await warmUp(accepting, warmUpRequests, connections);
await bareInserts(database.pool, 2, connections);
const accepted: Round[] = [];
const bare: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  bare.push(await bareInserts(database.pool, roundSeconds, connections));
  accepted.push(await askFor(accepting, roundSeconds, connections));
}

console.log(`\nVideo predictions, ${connections} at once, medians of ${rounds} rounds of ${roundSeconds} s`);
console.log(`${"bare inserts".padEnd(24)} ${`${median(bare).toFixed(0)}/s`.padStart(9)}`);
console.log(roundsLine(accepting.name, accepted));
const { middle, span } = ratioOf(
  accepted.map(({ perSecond }) => perSecond),
  bare,
);
console.log(verdict("Gatehouse / bare inserts", `${middle.toFixed(2)} (${span})`, `${goal}`, middle >= goal));

await database.close();
await stopProgram(gateway.program);
rmSync(folder, { recursive: true, force: true });
process.exit(0);
