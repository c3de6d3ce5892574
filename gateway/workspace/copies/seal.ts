import {
  createSealer,
  type MasterSecret,
  type Sealed,
  type Sealer,
} from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq, ne } from "#gateway/platform/database/drizzle.ts";
import { destinations } from "#gateway/platform/database/schema.ts";

const hintLength = 4;

/** Seals the secret access keys of destinations; each is bound to its destination. */
export function destinationSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse destinations");
}

/** The columns of a sealed secret. */
export function sealedSecret(master: MasterSecret, id: string, secret: string) {
  const { keyId, ciphertext } = destinationSealer(master).seal(secret, id);
  return { sealedBy: keyId, ciphertext, secretHint: secret.slice(-hintLength) };
}

/** Throws if neither master secret sealed the credentials. */
export function openSecret(
  master: MasterSecret,
  { id, sealedBy, ciphertext }: { id: string; sealedBy: string; ciphertext: Sealed["ciphertext"] },
): string {
  return destinationSealer(master).open({ keyId: sealedBy, ciphertext }, id);
}

const batchSize = 100;

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
