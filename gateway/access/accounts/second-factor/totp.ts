import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, ne } from "#gateway/platform/database/drizzle.ts";
import { totpSecrets } from "#gateway/platform/database/schema.ts";

/** RFC 6238 as every authenticator app supports it: SHA-1, six digits, half a minute. */
const stepMs = 30_000;
const digits = 6;
const secretBytes = 20;
/** The number of steps by which a clock may differ. */
const drift = 1;
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return encodeBase32(randomBytes(secretBytes));
}

/** The content of the QR code. */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** The code of a secret at a time. */
export function totpCode(secret: string, atMs: number): string {
  return codeOfStep(secret, Math.floor(atMs / stepMs));
}

/** The step that this code belongs to: the current one, or the one before or after; null if none. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / stepMs);
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = now - drift; step <= now + drift; step += 1) {
    const expected = Buffer.from(codeOfStep(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => base32.charAt(Number.parseInt(five, 2))).join("");
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => base32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
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
