import type { Logger } from "pino";
import { createCatalog } from "./catalog/load.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { Database } from "./database/database.ts";
import { createPredictionChanges } from "./predictions/changes.ts";
import { createProviders } from "./providers/create.ts";
import { openStorage } from "./storage/open.ts";
import { createBudgets } from "./usage/budgets.ts";
import { createMeter } from "./usage/meter.ts";

/** Puts together what the verbs are handed; `closeContext` takes it apart again, the database included. */
export async function openContext(config: Config, log: Logger, database: Database): Promise<Context> {
  const { store, scratch } = await openStorage(config);
  const catalog = createCatalog();
  const meter = createMeter(database, log);
  return {
    config,
    log,
    database,
    store,
    scratch,
    catalog,
    providers: createProviders({ config, database, log, models: catalog.list().data }),
    meter,
    budgets: createBudgets({ database, meter, log }),
    changes: await createPredictionChanges(database),
  };
}

export async function closeContext(context: Context): Promise<void> {
  await context.meter.close();
  await context.providers.close();
  await context.changes.close();
  await context.store.close();
  await context.scratch.close();
  await context.database.close();
}
