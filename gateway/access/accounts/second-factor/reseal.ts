import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, ne } from "#gateway/platform/database/drizzle.ts";
import { totpSecrets } from "#gateway/platform/database/schema.ts";
import { sealerOf } from "./totp-sealer.ts";

const batchSize = 100;

/** While AUTH_SECRET is being replaced: seals the secrets of authenticator apps with the new one. */
export const totpSealSweep: Sweep = {
  kind: "totp_seals",
  async run({ config, database }) {
    if (!config.previousSecret) return false;
    const sealer = sealerOf(config);
    return database.transaction(async (queries) => {
      const rows = await queries
        .select()
        .from(totpSecrets)
        .where(ne(totpSecrets.keyId, sealer.keyId))
        .limit(batchSize)
        .for("update", { skipLocked: true });
      for (const row of rows)
        await queries
          .update(totpSecrets)
          .set(sealer.seal(sealer.open(row, row.userId), row.userId))
          .where(and(eq(totpSecrets.userId, row.userId), eq(totpSecrets.isConfirmed, row.isConfirmed)));
      return rows.length === batchSize;
    });
  },
  oldestDue: () => null,
};
