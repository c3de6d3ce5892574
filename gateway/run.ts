import type { Logger } from "pino";
import { freeAllLeases } from "#gateway/platform/database/free-leases.ts";
import { setUpFromSettings, setupNeeded, setupToken } from "./access/accounts/accounts.ts";
import { openDistricts } from "./districts.ts";
import { startGateway } from "./gateway.ts";
import type { Config } from "./platform/core/config.ts";
import { followDatabaseClock } from "./platform/database/follow-clock.ts";
import { openDatabase } from "./platform/database/open.ts";
import type { Started } from "./platform/processes/supervised.ts";
import type { Telemetry } from "./platform/telemetry/telemetry.ts";
import type { Stopper } from "./stopper.ts";

/** Runs the roles of the settings in this process. */
export async function run(
  config: Config,
  log: Logger,
  stopper: Stopper,
  telemetry: Telemetry | null,
): Promise<Started> {
  const database = await openDatabase(config, log);
  stopper.add(() => database.close());
  if (config.databaseUrl === null) await freeAllLeases(database.pool);
  stopper.add(await followDatabaseClock(database, log));
  const districts = await openDistricts({ config, log, database, telemetry });
  stopper.add(() => districts.close());
  await setUpFromSettings(districts.context);
  const isNew = await setupNeeded(database.queries);
  const gateway = await startGateway(districts, { stopper });
  return {
    port: gateway.port,
    metricsPort: gateway.metricsPort,
    setUp: isNew ? `${config.consoleUrl}/setup#${setupToken(config)}` : null,
  };
}
