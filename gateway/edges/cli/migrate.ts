import { pino } from "pino";
import { readInstallation } from "#gateway/platform/core/config.ts";
import { serializeError } from "#gateway/platform/database/failed-query.ts";
import { migrateServer } from "#gateway/platform/database/server.ts";
import type { StandaloneCommand } from "./command.ts";

const standardError = 2;

/** Migrates the schema as a separate step, before the processes of the new release start. */
export const migrate: StandaloneCommand = {
  usage: `migrate [--check]
  --check   only tell which migrations are missing; exit code 1 when there are any`,
  options: { check: { type: "boolean" } },
  prepare: (values) => async () => {
    const check = values.check === true;
    const log = pino(
      { level: "info", serializers: { err: serializeError } },
      pino.destination({ fd: standardError, sync: true }),
    );
    const names = await migrateServer(readInstallation(), log, check);
    if (check && names.length > 0)
      throw new Error(
        `The database lacks ${names.length === 1 ? "a migration" : `${names.length} migrations`}: ${names.join(", ")}. Apply with: gatehouse migrate`,
      );
    console.log(names.length === 0 ? "The database is up to date." : `Applied ${names.join(", ")}.`);
  },
};
