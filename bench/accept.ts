import path from "node:path";
import { pino } from "pino";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { bareInserts } from "./parts/bare-inserts.ts";
import { median, ratioOf, verdict } from "./parts/figures.ts";
import { startGateway } from "./parts/gateway.ts";
import { askFor, type Round, roundSeconds, rounds, roundsLine, type Target, warmUp } from "./parts/load.ts";
import { runBench } from "./parts/run.ts";

/*
 * Compares accepting video predictions (the row is committed before the 202) with plain inserts of the same
 * row into the same table of the same PostgreSQL, in turns. The gateway runs as `api`, so that no worker
 * takes the accepted predictions.
 */
const connections = 32;
const warmUpSeconds = 2;
const goal = 0.3;

await runBench(async (folder) => {
  const gateway = await startGateway(folder, { GATEWAY_ROLE: "api" });
  const log = pino({ level: "warn" });
  const dataDir = path.join(folder, "data");
  const database = await openDatabase({ databaseUrl: null, migrate: true, dataDir }, log, "borrow");
  const accepting: Target = {
    name: "202 of Gatehouse",
    program: gateway.program,
    url: `${gateway.url}/videos`,
    headers: { authorization: `Bearer ${gateway.key}` },
    body: { model: "svc/vid-t2v", prompt: "A river winds through a green valley", duration: 2 },
  };

  await warmUp(accepting, connections);
  await bareInserts(database.pool, warmUpSeconds, connections);
  const accepted: Round[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareInserts(database.pool, roundSeconds, connections));
    accepted.push(await askFor(accepting, roundSeconds, connections));
  }
  await database.close();

  console.log(
    `\nVideo predictions, ${connections} at once, medians of ${rounds} rounds of ${roundSeconds} s`,
  );
  console.log(`${"bare inserts".padEnd(24)} ${`${median(bare).toFixed(0)}/s`.padStart(9)}`);
  console.log(roundsLine(accepting.name, accepted));
  const { middle, span } = ratioOf(
    accepted.map(({ perSecond }) => perSecond),
    bare,
  );
  const value = `${middle.toFixed(2)} (${span})`;
  console.log(verdict("Gatehouse / bare inserts", value, `>= ${goal}`, middle >= goal));
});
