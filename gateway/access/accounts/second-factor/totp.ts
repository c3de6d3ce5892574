import { createRequire } from "node:module";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, ne } from "#gateway/platform/database/drizzle.ts";
import { totpSecrets } from "#gateway/platform/database/schema.ts";

const load = createRequire(import.meta.url);
/** Loaded when somebody uses an authenticator app: most installations start without. */
const otpauth = () => load("otpauth") as typeof import("otpauth");

/** RFC 6238 as every authenticator app supports it: SHA-1, six digits, half a minute. */
const periodSeconds = 30;
const form = { algorithm: "SHA1", digits: 6, period: periodSeconds };
const secretBytes = 20;
/** How many steps the phone's clock may be off. */
const drift = 1;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new (otpauth().Secret)({ size: secretBytes }).base32;
}

/** The URI in the QR code; default values are left out, so that the code is easy to scan. */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** The code that an app with this secret shows at a time. */
export function totpCode(secret: string, atMs: number): string {
  return new (otpauth().TOTP)({ ...form, secret }).generate({ timestamp: atMs });
}

/** The step that this code belongs to: the current one, or the one before or after; null if none. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const off = new (otpauth().TOTP)({ ...form, secret }).validate({
    token: code,
    timestamp: nowMs,
    window: drift,
  });
  return off === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + off;
}

/** Seals the secrets of authenticator apps; each is bound to its person. */
export function sealerOf(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse authenticator secrets");
}

const batchSize = 100;

/** While AUTH_SECRET is being replaced: reseals the secrets of authenticator apps with the new one. */
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
