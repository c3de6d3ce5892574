import type { Logger } from "pino";
import type { PlatformContext } from "./context.ts";
import type { Config } from "./core/config.ts";
import { createDrain } from "./core/drain.ts";
import { retentionSweep } from "./database/apply-retention.ts";
import type { Database } from "./database/database.ts";
import { readHistory } from "./database/history.ts";
import { openRetention } from "./database/retention.ts";
import type { District } from "./door.ts";
import { figureFoldSweep, figureSweeps } from "./figures/fold.ts";
import { keepLoad, loadSweep } from "./figures/load.ts";
import { idempotencyKeySweep } from "./http/idempotency.ts";
import { createKeyClaims } from "./http/key-claims.ts";
import { requestLogSweep } from "./http/request-log.ts";
import { createLimiter, limitSweep } from "./limits/create-limiter.ts";
import { followDrained } from "./limits/nodes.ts";
import { assertCidrs } from "./network/address-rules.ts";
import { setQuiet } from "./network/quiet.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface Ground {
  config: Config;
  log: Logger;
  database: Database;
  telemetry: Telemetry | null;
}

/** The steps of every request and the routes of monitoring are in `gateway/server.ts`, in their order. */
export const platform: District<Ground, PlatformContext> = {
  async open(ground, keep) {
    const { config, log, database } = ground;
    setQuiet(config.quiet);
    if (config.quiet) log.warn("GATEHOUSE_QUIET is on: nothing is sent to other machines");
    const { mediaAllowCidrs } = config;
    assertCidrs(mediaAllowCidrs);
    if (mediaAllowCidrs.length > 0)
      log.warn({ mediaAllowCidrs }, "MEDIA_ALLOW_CIDRS is set: media URLs may reach these private ranges");
    const drain = createDrain(config.drainMs);
    keep(keepLoad(database, log));
    keep(await followDrained({ database, log }, drain));
    return {
      ...ground,
      history: await readHistory(database, config),
      retention: keep(await openRetention({ config, database, log })),
      drain,
      // Opened before the meter: the limiter shows other processes that this one is alive, so that they leave
      // its journal alone.
      limiter: keep(await createLimiter(database, log)),
      claims: keep(createKeyClaims(database, log)),
    };
  },
  sweeps: [
    retentionSweep,
    idempotencyKeySweep,
    requestLogSweep,
    figureFoldSweep,
    ...figureSweeps,
    loadSweep,
    limitSweep,
  ],
};
