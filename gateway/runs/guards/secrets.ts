import type { RotateSecret } from "#contract/webhook.ts";
import { newSigningSecret, secretHint } from "#gateway/events/webhooks/secrets.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { guards } from "#gateway/platform/database/schema.ts";
import type { GuardSecret } from "#gateway/platform/database/tables/guards.ts";

/** Seals the secrets of guards; each is bound to its guard's id. */
export function guardSealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse guards");
}

/** A fresh secret, and how it is stored. */
export function newGuardSecret(master: MasterSecret, id: string): { secret: string; stored: GuardSecret } {
  const secret = newSigningSecret();
  const stored = { ...guardSealer(master).seal(secret, id), hint: secretHint(secret), expiresAt: null };
  return { secret, stored };
}

export function liveGuardSecrets(secrets: readonly GuardSecret[]): GuardSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > clock.now());
}

const defaultOverlapSeconds = 86_400;

/** The earlier secrets after a rotation: they also sign until their overlap ends. */
export function overlapping(
  secrets: readonly GuardSecret[],
  { overlap_seconds: seconds = defaultOverlapSeconds }: RotateSecret,
): GuardSecret[] {
  if (seconds === 0) return [];
  const until = new Date(clock.now() + seconds * 1_000).toISOString();
  return liveGuardSecrets(secrets).map((one) => ({ ...one, expiresAt: one.expiresAt ?? until }));
}

const batchSize = 100;

/** While AUTH_SECRET is being replaced: reseals the secrets of guards with the new one. */
export const guardSealSweep: Sweep = {
  kind: "guard_seals",
  async run({ config, database, log }) {
    if (!config.previousSecret) return false;
    const sealer = guardSealer(config);
    return database.transaction(async (queries) => {
      const rows = await queries
        .select()
        .from(guards)
        .where(
          sql`exists (select from jsonb_array_elements(${guards.secrets}) one
            where one ->> 'keyId' <> ${sealer.keyId})`,
        )
        .limit(batchSize)
        .for("no key update", { skipLocked: true });
      let resealed = 0;
      for (const { id, secrets } of rows)
        try {
          const fresh = secrets.map((one) => ({ ...one, ...sealer.seal(sealer.open(one, id), id) }));
          await queries.update(guards).set({ secrets: fresh }).where(eq(guards.id, id));
          resealed += 1;
        } catch (error) {
          log.error({ err: error, guard: id }, "a secret of a guard cannot be opened");
        }
      return resealed === batchSize;
    });
  },
  oldestDue: () => null,
};
