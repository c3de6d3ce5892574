import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq, ne } from "#gateway/platform/database/drizzle.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { destinations } from "#gateway/platform/database/schema.ts";
import { destinationSealer, openSecret, sealedSecret } from "./seal.ts";

const batchSize = 100;

/** The log of copies is kept as long as the log of deliveries. */
export const copyHistorySweep = agedRowSweep({
  kind: "copies",
  table: "copies",
  idKind: "copy",
  at: "created_at",
  days: ({ history }) => history.days,
  mayGo: "status in ('succeeded', 'failed')",
});

/** While AUTH_SECRET is being replaced: reseals the secrets of destinations with the new one. */
export const destinationSealSweep: Sweep = {
  kind: "destination_seals",
  async run({ config, database, log }) {
    if (!config.previousSecret) return false;
    const { keyId } = destinationSealer(config);
    return database.transaction(async (queries) => {
      const rows = await queries
        .select()
        .from(destinations)
        .where(ne(destinations.sealedBy, keyId))
        .limit(batchSize)
        .for("no key update", { skipLocked: true });
      let resealed = 0;
      for (const row of rows)
        try {
          await queries
            .update(destinations)
            .set(sealedSecret(config, row.id, openSecret(config, row)))
            .where(eq(destinations.id, row.id));
          resealed += 1;
        } catch (error) {
          log.error({ err: error, destination: row.id }, "the secret of a destination cannot be opened");
        }
      return resealed === batchSize;
    });
  },
  oldestDue: () => null,
};
